import Foundation
import MusicModel

/// The run-time attributes of a partition's outputs as the database keeps them: JSON, by output and attribute.
enum OutputAttributeText {
    static func write(_ outputs: [SavedOutput]) -> String? {
        var attributes: [String: [String: String]] = [:]
        for output in outputs where !output.attributes.isEmpty { attributes[output.name] = output.attributes }
        guard !attributes.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Dictionaries of texts can't fail to be encoded.
        return (try? encoder.encode(attributes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The attributes in the text; none where it is damaged: outputs then begin as they are configured.
    static func read(_ text: String?) -> [String: [String: String]] {
        guard let text else { return [:] }
        return (try? JSONDecoder().decode([String: [String: String]].self, from: Data(text.utf8))) ?? [:]
    }
}
