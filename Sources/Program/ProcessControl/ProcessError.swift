/// A refusal of the system, with the cause and the cure in one line.
package struct ProcessError: Error, CustomStringConvertible {
    /// The line.
    package let message: String

    /// The line.
    package var description: String { message }

    init(_ message: String) { self.message = message }
}
