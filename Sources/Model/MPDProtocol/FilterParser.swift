import MusicModel

/// Parses filters, old style (`artist x album y`) and as expressions (`"((artist == 'x') AND (album != 'y'))"`).
///
/// - Wire: any number of pairs and expressions, joined by AND.
/// - Shape: where letters fold, old-style pairs also match anywhere in the value, as in MPD before 0.21.
/// - Errors: code 5, or 2 for times and formats, with the texts of MPD v0.24.13 src/song/Filter.cxx.
struct FilterParser {
    /// How deeply expressions may be nested; MPD's only limit is its line length.
    static let depthLimit = 64

    private let arguments: [String]
    private let foldsCase: Bool

    /// Parses `arguments`, of which there must be some.
    static func parse(_ arguments: [String], foldsCase: Bool) throws(AckError) -> SongFilter {
        try FilterParser(arguments: arguments, foldsCase: foldsCase).parse()
    }

    private func parse() throws(AckError) -> SongFilter {
        guard !arguments.isEmpty else { throw .filter("Incorrect number of filter arguments") }
        var parts: [SongFilter] = []
        var index = 0
        while index < arguments.count {
            if arguments[index].utf8.first == UInt8(ascii: "(") {
                parts.append(try FilterExpression.parse(arguments[index], foldsCase: foldsCase))
                index += 1
                continue
            }
            guard index + 1 < arguments.count else { throw .filter("Incorrect number of filter arguments") }
            parts.append(try pair(arguments[index], arguments[index + 1]))
            index += 2
        }
        return SongFilter.and(parts).flattened
    }

    private func pair(_ name: String, _ value: String) throws(AckError) -> SongFilter {
        guard let kind = FilterKind(name) else { throw .filter("Unknown filter type") }
        switch kind {
        case .base:
            guard Self.isSafe(value) else { throw .filter("Bad URI") }
            return .base(value)
        case .modifiedSince:
            return .modifiedSince(try TimeStamp.parse(value))
        case .addedSince:
            return .addedSince(try TimeStamp.parse(value))
        case .text(let subject):
            return .text(subject, StringTest(foldsCase ? .contains : .equals, value, foldsCase: foldsCase))
        case .audioFormat, .priority:
            // MPD makes a tag comparison of these, which nothing but luck keeps from matching.
            throw .filter("Unknown filter type")
        }
    }

    /// True if a URI stays inside the library: no part of it is empty, `.` or `..`.
    private static func isSafe(_ uri: String) -> Bool {
        uri.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        }
    }
}

/// The left side of a comparison.
enum FilterKind {
    case base, modifiedSince, addedSince, audioFormat, priority
    case text(SongFilter.Subject)

    /// Finds a kind by its name; `base` and the times must be in lower case, as in MPD.
    init?(_ name: String) {
        switch name {
        case "base": self = .base
        case "modified-since": self = .modifiedSince
        case "added-since": self = .addedSince
        default:
            switch name.lowercased() {
            case "file", "filename": self = .text(.file)
            case "any": self = .text(.any)
            case "audioformat": self = .audioFormat
            case "prio": self = .priority
            default:
                guard let tag = Tag(wireName: name) else { return nil }
                self = .text(.tag(tag))
            }
        }
    }
}

extension SongFilter {
    /// The same filter without nested or single-part `and`, and with negations drawn into text comparisons.
    ///
    /// - Source: MPD v0.24.13 src/song/OptimizeFilter.cxx.
    var flattened: SongFilter {
        switch self {
        case .and(let parts):
            var flat: [SongFilter] = []
            for part in parts {
                switch part.flattened {
                case .and(let inner): flat += inner
                case .all: break
                case let other: flat.append(other)
                }
            }
            return flat.isEmpty ? .all : flat.count == 1 ? flat[0] : .and(flat)
        case .not(let inner):
            guard case .text(let subject, var test) = inner.flattened else { return .not(inner.flattened) }
            test.isNegated.toggle()
            return .text(subject, test)
        default:
            return self
        }
    }
}

extension AckError {
    /// A mistake in a filter; its code is that of MPD's plain run-time errors, which commands turn into code 2.
    static func filter(_ message: String) -> AckError { .thrown(.unknown, message) }
}
