import AudioFiles
import Coordination
import MusicModel
import Outputs
package import Playback

/// The attributes that clients can set of a single output while it plays.
struct OutputAttributes: Sendable {
    var volume = 100
    var filters: FilterSettings
    var specification: OutputSpecification
    /// The attributes that clients have set, as they wrote them; kept over restarts.
    var chosen: [String: String] = [:]

    init(_ specification: OutputSpecification) {
        (filters, self.specification) = (specification.filters, specification)
    }
}

extension OutputThread {
    /// The attributes with their values, as `outputs` lists them.
    package var attributes: [String: String] {
        let (filters, formats) = state.withLock { state in
            (state.attributes.filters, state.attributes.specification.formatAttributes)
        }
        var shown = filters.attributes(specification.presets).merging(formats) { $1 }
        if let volume = ownVolume { shown["volume"] = String(volume) }
        if let listeners = report.listeners { shown["listeners"] = String(listeners) }
        return shown
    }

    /// Those that clients have set and that no other part remembers.
    package var chosenAttributes: [String: String] { state.withLock { $0.attributes.chosen } }

    /// The volume of this output alone; nil where it has none. A device's own control is that volume itself.
    private var ownVolume: Int? {
        switch specification.mixerType {
        case .software: state.withLock { $0.attributes.volume }
        case .hardware: mixer?.volume
        case .none: nil
        }
    }

    /// Sets an attribute; throws where there is none of that name, or not with that value.
    package func set(_ attribute: String, to value: String) throws(OutputAttributeError) {
        switch attribute {
        case "volume": try setOwnVolume(value)
        case "allowed_formats", "dop": try setFormat(attribute, value)
        default: try setFilter(attribute, value)
        }
    }

    private func setFilter(_ attribute: String, _ value: String) throws(OutputAttributeError) {
        let presets = specification.presets
        let isSet = state.withLock { state -> Bool? in
            let isSet = state.attributes.filters.set(attribute, to: value, presets: presets)
            if isSet == true { state.attributes.chosen[attribute] = value }
            return isSet
        }
        guard let isSet else { throw .unsupported }
        guard isSet else { throw .badValue }
    }

    /// Sets what the output may get; what plays continues from the same position.
    private func setFormat(_ attribute: String, _ value: String) throws(OutputAttributeError) {
        let change: OutputSpecification.FormatChange?
        do throws(SettingProblem) { change = try specification.formatChange(attribute, to: value) } catch {
            throw .refused(error.description)
        }
        guard let change else { throw .unsupported }
        let tell = state.update { state -> (@Sendable () -> Void)? in
            let before = state.attributes.specification
            state.attributes.specification.apply(change)
            state.attributes.chosen[attribute] = state.attributes.specification.formatAttributes[attribute]
            guard state.attributes.specification != before else { return nil }
            state.commands.post(.adopt(state.attributes.specification))
            state.report.refusedDoP = []
            return state.tellOwner
        }
        // One-bit sound may come otherwise from now on.
        tell?()
    }

    private func setOwnVolume(_ value: String) throws(OutputAttributeError) {
        guard specification.mixerType != .none else { throw .unsupported }
        guard let volume = Int(value), (0...100).contains(volume) else { throw .badValue }
        guard specification.mixerType == .software else {
            // The device remembers it, and other programs may change it.
            mixer?.setVolume(volume)
            return
        }
        state.update { state in
            state.attributes.volume = volume
            state.attributes.chosen["volume"] = volume == 100 ? nil : String(volume)
            state.commands.post(.applyVolume)
        }
    }
}

extension OutputThread {
    /// Finds out whether the effects or the graph that a client names can be made.
    package func check(_ attribute: String, _ value: String) async throws(OutputAttributeError) {
        guard ["effects", "graph"].contains(attribute), !FilterSettings.isOff(value) else { return }
        let presets = specification.presets
        do {
            // It may wait for the libraries of plug-ins.
            try await onThread {
                if let failure = GStreamerLibrary.failure { throw SettingProblem(failure) }
                if attribute == "effects" {
                    try presets.effects(value).check()
                } else {
                    try presets.graph(value).check()
                }
            }
        } catch { throw .refused("Invalid value for attribute \(attribute): \(error)") }
    }
}
