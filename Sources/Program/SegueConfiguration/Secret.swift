/// A text that must not appear in logs, errors or answers.
///
/// Whatever prints or dumps it shows `<secret>`; only `reveal()` gives the text.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Hides a text.
    public init(_ text: String) { self.text = text }

    /// The text itself, for the place that needs it.
    public func reveal() -> String { text }

    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
