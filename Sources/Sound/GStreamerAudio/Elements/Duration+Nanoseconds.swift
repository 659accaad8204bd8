extension Duration {
    /// The whole duration in nanoseconds, kept within what 64 bits hold.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds.magnitude < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
