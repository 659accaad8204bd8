/// The names that stand for a filter's values.
package struct FilterPresets: Hashable, Sendable {
    /// The equalizers by name.
    package var equalizers: [String: EqualizerCurve]
    /// The absolute paths of impulse responses by name.
    package var impulseResponses: [String: String]
    /// The chains of GStreamer's elements by name.
    package var effects: [String: EffectChain]
    /// The graphs of FFmpeg's filters by name; they may hold filters that clients can't write.
    package var graphs: [String: FilterGraph]

    /// Collects them; without any, nothing has a name.
    package init(
        equalizers: [String: EqualizerCurve] = [:], impulseResponses: [String: String] = [:],
        effects: [String: EffectChain] = [:], graphs: [String: FilterGraph] = [:]
    ) {
        (self.equalizers, self.impulseResponses) = (equalizers, impulseResponses)
        (self.effects, self.graphs) = (effects, graphs)
    }

    /// The chain that a client means: one by name, or by its elements.
    package func effects(_ value: String) throws(SettingProblem) -> EffectChain {
        if let chain = effects[value] { return chain }
        return try EffectChain(value)
    }

    /// The graph that a client means: one of the configuration by name or text, or one of harmless filters.
    package func graph(_ value: String) throws(SettingProblem) -> FilterGraph {
        if let graph = graphs[value] ?? graphs.values.first(where: { $0.text == value }) { return graph }
        return try FilterGraph(client: value)
    }
}
