/// The arguments of one command line, unquoted, consumed from the front by a command's parser.
///
/// The shared grammar (numbers, ranges, positions, filters) is in extensions of this type, never in a command.
public struct Arguments: Sendable {
    /// The arguments that were not consumed yet.
    public private(set) var remaining: ArraySlice<String>

    /// Wraps a command's arguments, without its name.
    public init(_ values: [String]) { remaining = values[...] }

    /// How many are left.
    public var count: Int { remaining.count }
    /// Whether none are left.
    public var isEmpty: Bool { remaining.isEmpty }

    /// Takes the next argument, or nil.
    public mutating func next() -> String? { remaining.popFirst() }

    /// Looks at the next argument without taking it.
    public var peek: String? { remaining.first }

    /// Takes the last argument, or nil.
    public mutating func popLast() -> String? { remaining.popLast() }
}
