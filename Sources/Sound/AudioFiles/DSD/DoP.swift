/// DSD over PCM: 16 bits of a channel, the first one highest, below a marker that alternates, in a sample of 24 bits.
/// As floats such samples are whole multiples of 2^-23, which the way to an output keeps exactly.
/// - Source: DoP Open Standard 1.1.
package enum DoP {
    /// The markers of frames in turn.
    package static let markers: (first: UInt8, second: UInt8) = (0x05, 0xFA)
    /// A byte of silence.
    package static let silence: UInt8 = 0x69
}
