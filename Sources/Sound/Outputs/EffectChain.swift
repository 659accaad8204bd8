import MusicModel

/// Audio filters of GStreamer one after the other, LADSPA's and LV2's plug-ins among them, as a client or the
/// configuration writes them: `freeverb room-size=0.3 ! ladspa-amp-so-amp-stereo gain=0.5`.
///
/// Only the form is checked here; whether there are such elements is for the audio engine to say.
package struct EffectChain: Hashable, Sendable {
    /// One element with values of its properties.
    package struct Effect: Hashable, Sendable {
        /// The name by which GStreamer makes it.
        package var element: String
        /// The values, in their order; names of bands and the like have `::` in them.
        package var settings: [Setting]
    }

    /// One thing that an element is told, such as how large a room is.
    package struct Setting: Hashable, Sendable {
        /// The property's name.
        package var property: String
        /// A number, a truth value or the nickname of a choice.
        package var value: String
    }

    /// The elements in the order in which the sound passes them.
    package let effects: [Effect]
    /// The words that they were read from.
    package let text: String
    /// The longest text, in bytes.
    package static let maxTextLength = 4096
    /// The most elements that a chain has.
    package static let maxEffects = 8

    /// Reads a chain in the form of gst-launch, of plain elements and values alone.
    package init(_ text: String) throws(SettingProblem) {
        guard text.utf8.count <= Self.maxTextLength else {
            throw SettingProblem("it is too long: \(Self.maxTextLength) bytes are the most")
        }
        let parts = text.split(separator: "!", omittingEmptySubsequences: false)
        guard parts.count <= Self.maxEffects else {
            throw SettingProblem("it has \(parts.count) elements; \(Self.maxEffects) are the most")
        }
        var effects: [Effect] = []
        for part in parts { effects.append(try Self.effect(part)) }
        (self.effects, self.text) = (effects, text)
    }

    private static func effect(_ part: Substring) throws(SettingProblem) -> Effect {
        let words = part.split { $0 == " " || $0 == "\t" }
        guard let element = words.first else {
            throw SettingProblem("an element is missing; write \"freeverb room-size=0.3 ! volume volume=0.5\"")
        }
        guard isName(element, with: "-_.+") else { throw SettingProblem("\(quoted(element)) is no element's name") }
        var settings: [Setting] = []
        for word in words.dropFirst() {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, isName(sides[0], with: "-_:"), let value = plain(sides[1]) else {
                throw SettingProblem("\(quoted(word)) sets no property; write \"room-size=0.3\"")
            }
            settings.append(Setting(property: String(sides[0]), value: value))
        }
        return Effect(element: String(element), settings: settings)
    }

    private static func isName(_ word: Substring, with others: String) -> Bool {
        !word.isEmpty && word.utf8.count <= 256
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
    }

    private static func plain(_ value: Substring) -> String? {
        var value = value
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return isName(value, with: "-_.+") ? String(value) : nil
    }

    private static func quoted(_ word: Substring) -> String { "\"\(String(word).prefix(utf8: 80))\"" }
}
