/// The arguments of one command line, unquoted, consumed from the front by a command's parser. The shared grammar
/// (numbers, ranges, positions, filters) is in extensions of this type, never in a command.
package struct Arguments: Sendable {
    /// The arguments that were not consumed yet.
    package private(set) var remaining: ArraySlice<String>

    /// Wraps a command's arguments, without its name.
    package init(_ values: [String]) { remaining = values[...] }

    /// How many are left.
    package var count: Int { remaining.count }
    /// True if none are left.
    package var isEmpty: Bool { remaining.isEmpty }

    /// Takes the next argument, or nil.
    package mutating func next() -> String? { remaining.popFirst() }

    /// Reads the next argument without taking it.
    package var peek: String? { remaining.first }

    /// Takes the last argument, or nil.
    package mutating func popLast() -> String? { remaining.popLast() }
}
