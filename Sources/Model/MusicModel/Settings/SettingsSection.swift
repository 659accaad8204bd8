/// A section of the configuration as the page shows it.
package struct SettingsSection: Sendable {
    /// A value, or that there is a secret one.
    package enum Value: Hashable, Sendable, CustomStringConvertible {
        case text(String)
        case secret

        /// The value as a report has it.
        package var description: String {
            switch self {
            case .text(let text): text
            case .secret: "(secret)"
            }
        }
    }

    /// The section's name.
    package var name: String
    /// The keys in their order.
    package var keys: [(key: String, value: Value)]

    /// Collects keys.
    package init(name: String, keys: [(key: String, value: Value)]) { (self.name, self.keys) = (name, keys) }
}
