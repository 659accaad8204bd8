/// A key of the configuration that the page may change, with the value in use.
package struct Setting: Hashable, Sendable {
    /// Where a value comes from.
    package enum Source: String, Hashable, Sendable {
        case standard = "default"
        case file
        /// The page, which keeps it in `settings.toml`.
        case page
        /// An environment variable, over which nothing wins.
        case environment
    }

    /// The section and the key, such as `server.log_level`.
    package let key: String
    /// The values that it may have.
    package let shape: SettingShape
    /// The value, as the configuration says it.
    package let value: SettingValue
    /// Where the value comes from.
    package let source: Source
    /// True if `settings.toml` has a value, which counts unless the environment has one.
    package var isOnPage = false
    /// True if the configuration file has a value, which counts unless the page or the environment has one.
    package var isInFile = false
    /// True if a new value is in use at once, or after a restart.
    package var isTakenOverAtOnce = false
    /// True if the value is one that the running server will use after its next start.
    package var waitsForRestart = false

    /// Notes a key's value and its origin.
    package init(key: String, shape: SettingShape, value: SettingValue, source: Source) {
        (self.key, self.shape, self.value, self.source) = (key, shape, value, source)
    }
}

/// A value of the configuration as files and pages write it.
package enum SettingValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([String])
}

/// The values that a key may have, so that a page can ask for one of them.
package enum SettingShape: Hashable, Sendable {
    case flag
    /// A whole number, in a unit that may be empty.
    case integer(ClosedRange<Int>, unit: String)
    /// A number with or without a decimal part, in a unit that may be empty.
    case number(ClosedRange<Int>, unit: String)
    case choice([String])
    case list([String])
    /// A size such as `2 GiB` between two others.
    case size(from: String, to: String)
}

/// Why a change of settings was refused; nothing was changed then.
package struct SettingRefusal: Error, Hashable, Sendable {
    /// The kinds of refusal.
    package enum Reason: Hashable, Sendable {
        case unknown
        /// The key is not for the page.
        case forbidden
        /// The value is none that the key may have.
        case wrong
        /// Something else wins, or has to be mended first.
        case conflict
        case unwritable
    }

    /// The kind.
    package let reason: Reason
    /// The key; nil where it is about none.
    package let key: String?
    /// A sentence for a person.
    package let message: String

    /// Refuses for a reason.
    package init(_ reason: Reason, _ key: String?, _ message: String) {
        (self.reason, self.key, self.message) = (reason, key, message)
    }
}

/// Shows and changes the settings of the page.
package protocol SettingsChanging: Sendable {
    /// The keys that may be changed, with the values that count now, in the order in which they are shown.
    var settings: [Setting] { get }

    /// Changes all of these keys, or none, for the client at an address; nil takes a key back to what the configuration
    /// says.
    /// - Isolation: blocks for reading and writing files.
    func change(_ changes: [String: SettingValue?], from address: String) throws(SettingRefusal)
}
