/// The mixer of a device that scales its loudness itself.
///
/// - Isolation: any thread; nothing here waits for the device.
package protocol OutputMixer: AnyObject, Sendable {
    /// The volume, 0 to 100; nil while the device doesn't tell.
    var volume: Int? { get }
    /// Sets the volume, 0 to 100, soon.
    func setVolume(_ volume: Int)
    /// Sets the factor of the amplitude that comes on top of the volume: ReplayGain. The volume stays what it is.
    ///
    /// - Parameter usual: the volume, unless it was set or changed before.
    func setGain(_ gain: Float, usual: Int)
    /// Sets what is called with changes from now on.
    func setOwner(_ changed: @escaping @Sendable () -> Void)
    /// Lets the device go.
    func close()
}
