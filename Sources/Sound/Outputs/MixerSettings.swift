/// Which control of an ALSA device is an output's volume.
public struct MixerSettings: Hashable, Sendable {
    /// The mixer's device.
    public var device = "default"
    /// The control's name.
    public var control = "PCM"
    /// Which one of several with that name.
    public var index = 0

    /// Makes settings; as they are those of MPD.
    public init() {}
}
