/// One thing that was checked, and how it is.
package struct Finding: Codable, Hashable, Sendable {
    /// The need to do something about it.
    package enum Level: String, Codable, Sendable {
        /// As it should be.
        case ok
        /// Something works less well than it could.
        case warning
        /// Something that is needed doesn't work.
        case failure
    }

    /// The part of the system that was checked, in a word or two.
    package var subject: String
    /// How much it matters.
    package var level: Level
    /// The state of it and, where that is needed, the cure.
    package var text: String

    /// Notes what was found.
    package init(_ subject: String, _ level: Level, _ text: String) {
        (self.subject, self.level, self.text) = (subject, level, text)
    }
}
