/// A password that nothing prints.
public struct SourcePassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// Hides a password.
    public init(_ text: String) { self.text = text }

    /// The password itself, for the connection.
    public func reveal() -> String { text }

    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
