import MusicModel

extension Duration {
    /// Whole milliseconds, cut off; at the bounds of the type where there are more.
    package var milliseconds: Int64 {
        components.seconds.multipliedClamped(by: 1000).addingClamped(components.attoseconds / 1_000_000_000_000_000)
    }
}
