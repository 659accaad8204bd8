/// Which control of an ALSA device is an output's volume.
package struct MixerSettings: Hashable, Sendable {
    /// The mixer's device.
    package var device = "default"
    /// The control's name.
    package var control = "PCM"
    /// Which one of several with that name.
    package var index = 0

    /// Makes settings; as they are those of MPD.
    package init() {}
}
