/// A password that nothing prints.
package struct SourcePassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// Hides a password.
    package init(_ text: String) { self.text = text }

    /// The password itself, for the connection.
    package func reveal() -> String { text }

    /// Always `<secret>`.
    package var description: String { "<secret>" }
    /// Always `<secret>`.
    package var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
