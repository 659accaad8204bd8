/// A text that must not appear in logs, errors or answers; only `reveal()` gives it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Hides a text.
    package init(_ text: String) { self.text = text }

    /// The text itself, for the place that needs it.
    package func reveal() -> String { text }

    /// Always `<secret>`.
    package var description: String { "<secret>" }
    /// Always `<secret>`.
    package var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
