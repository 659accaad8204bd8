/// What a device itself scales its loudness with.
///
/// - Isolation: any thread; nothing here waits for the device.
protocol OutputMixer: AnyObject, Sendable {
    /// The volume, 0 to 100; nil while the device doesn't tell.
    var volume: Int? { get }
    /// Sets the volume, 0 to 100, soon.
    func setVolume(_ volume: Int)
    /// Sets the factor of the amplitude that comes on top of the volume: ReplayGain. The volume stays what it is.
    ///
    /// - Parameter usual: the volume, unless it was set or changed before.
    func setGain(_ gain: Float, usual: Int)
    /// Names who hears of changes from now on.
    func setOwner(_ changed: @escaping @Sendable () -> Void)
    /// Lets the device go.
    func close()
}

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
