/// The names that stand for a filter's values.
package struct FilterPresets: Hashable, Sendable {
    /// The equalizers by name.
    package var equalizers: [String: EqualizerCurve]
    /// The absolute paths of impulse responses by name.
    package var impulseResponses: [String: String]

    /// Collects them; without any, nothing has a name.
    package init(equalizers: [String: EqualizerCurve] = [:], impulseResponses: [String: String] = [:]) {
        (self.equalizers, self.impulseResponses) = (equalizers, impulseResponses)
    }
}
