import MusicModel

extension OutputSpecification {
    /// A change of what an output may get.
    package enum FormatChange: Hashable, Sendable {
        /// Other formats are allowed; none allows all.
        case allowed([AllowedFormat])
        /// The device understands DoP, or doesn't.
        case dop(Bool)
    }

    /// Allows the output these formats alone, or all where there are none.
    package mutating func allow(_ list: [AllowedFormat]) {
        listedFormats = list
        let isDSD: (AllowedFormat) -> Bool = { $0.format.sample == .dsd }
        allowed.formats = list.filter { !isDSD($0) }.map(\.format)
        dsd.dopFormats = list.filter(\.isDoP).map(\.format)
        dsd.nativeFormats = list.filter { isDSD($0) && !$0.isDoP }.map(\.format)
    }

    /// Takes a client's choice over; the rest of the configuration stays.
    package mutating func apply(_ change: FormatChange) {
        switch change {
        case .allowed(let list): allow(list)
        case .dop(let isOn): dsd.isDoP = isOn
        }
    }

    /// The attributes for the formats, with their values: those that the type has keys for in the configuration.
    /// - Source: MPD v0.24.13 src/output/plugins/AlsaOutputPlugin.cxx `GetAttributes`.
    package var formatAttributes: [String: String] {
        let all = ["allowed_formats": listedFormats.map(\.text).joined(separator: " "), "dop": dsd.isDoP ? "1" : "0"]
        return all.filter { type.keys.contains($0.key) }
    }

    /// The change that setting an attribute makes; nil where the output has none of that name.
    /// - Throws: `SettingProblem` where the value can't be one.
    /// - Source: MPD v0.24.13 src/output/plugins/AlsaOutputPlugin.cxx `SetAttribute`.
    package func formatChange(_ attribute: String, to value: String) throws(SettingProblem) -> FormatChange? {
        guard type.keys.contains(attribute) else { return nil }
        switch attribute {
        case "dop":
            guard value == "0" || value == "1" else { throw SettingProblem("dop is 0 or 1") }
            return .dop(value == "1")
        case "allowed_formats":
            let list = try AllowedFormat.list(value)
            if let complaint = complaint(about: list) { throw complaint }
            return .allowed(list)
        default: return nil
        }
    }

    /// The reason why an output of this type can't be given these formats; nil where it can.
    package func complaint(about list: [AllowedFormat]) -> SettingProblem? {
        guard list.count <= Self.maxFormats else {
            return SettingProblem("allowed_formats has more than \(Self.maxFormats) formats")
        }
        guard !type.keys.contains("dsd"),
            let format = list.first(where: { $0.format.sample == .dsd && !$0.isDoP })
        else { return nil }
        return SettingProblem("\"\(format.text)\": DSD reaches this type as PCM; only alsa plays it as it is")
    }

    private static let maxFormats = 100

    /// True if what plays by this plays by another one as well, without being reopened: DoP comes only where wanted.
    package func playsAlike(_ other: OutputSpecification) -> Bool {
        if self == other { return true }
        // Such a device looks for itself.
        guard !dsd.isNative, dsd.nativeFormats.isEmpty else { return false }
        var alike = other
        alike.listedFormats = listedFormats
        (alike.dsd.isDoP, alike.dsd.dopFormats) = (dsd.isDoP, dsd.dopFormats)
        return alike == self
    }
}
