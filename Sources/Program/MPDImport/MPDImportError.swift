/// The reason why something of MPD's could not be read, in words for the user.
package struct MPDImportError: Error, CustomStringConvertible {
    /// The cause and, where there is one, the cure.
    package var message: String

    /// Makes an error with its sentence.
    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
