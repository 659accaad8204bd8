/// An error that keeps the error beneath it and the place where it was made. The description stays the sentence for
/// users, with the reason and the cure; clients and commands show nothing else. Lines of the log show everything by
/// `ErrorChain`.
package protocol ChainedError: Error, CustomStringConvertible {
    /// The error beneath, and the place in the source.
    var origin: ErrorOrigin { get }
}

/// The error beneath another one, and the line of the source where that other one was made. All origins are equal.
package struct ErrorOrigin: Hashable, Sendable {
    /// The error that was caught; nil where the error is the first of its chain.
    package let cause: (any Error)?
    private let file: StaticString
    private let line: UInt

    /// Notes a place and what was caught there; an error's own initializer hands its `file` and `line` on.
    package init(_ cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        (self.cause, self.file, self.line) = (cause, file, line)
    }

    /// For example `LibraryIndex/LibraryError.swift:88`.
    package var place: String { "\(file):\(line)" }

    package static func == (_: ErrorOrigin, _: ErrorOrigin) -> Bool { true }
    package func hash(into _: inout Hasher) {}
}
