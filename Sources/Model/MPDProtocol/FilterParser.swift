package import MusicModel

extension SongFilter {
    /// Reads filters, old style (`artist x album y`) and as expressions (`"((artist == 'x') AND (album != 'y'))"`), any
    /// number of them joined by AND. Where letters fold, old-style pairs also match anywhere in the value, as in MPD
    /// before 0.21.
    /// - Errors: code 2 for times and formats, 5 for everything else, with the texts of MPD v0.24.13
    ///   src/song/Filter.cxx; most commands answer 2 to all of them, see `Arguments.filter`.
    package init(parsing arguments: [String], foldsCase: Bool) throws(AckError) {
        guard !arguments.isEmpty else { throw .filter("Incorrect number of filter arguments") }
        var parts: [SongFilter] = []
        var rest = arguments[...]
        while let first = rest.popFirst() {
            if first.utf8.first == UInt8(ascii: "(") {
                parts.append(try FilterExpression.parse(first, foldsCase: foldsCase))
            } else {
                guard let value = rest.popFirst() else { throw .filter("Incorrect number of filter arguments") }
                parts.append(try Self.pair(first, value, foldsCase: foldsCase))
            }
        }
        self = SongFilter.and(parts).flattened
    }

    private static func pair(_ name: String, _ value: String, foldsCase: Bool) throws(AckError) -> SongFilter {
        switch FilterKind(name) {
        case .base:
            guard value.isSafePath else { throw .filter("Bad URI") }
            return .base(value)
        case .modifiedSince: return .modifiedSince(try TimeStamp.parse(value))
        case .addedSince: return .addedSince(try TimeStamp.parse(value))
        case .text(let subject):
            return .text(subject, StringTest(foldsCase ? .contains : .equals, value, foldsCase: foldsCase))
        // MPD makes a tag comparison of the first two, which nothing but luck keeps from matching.
        case .audioFormat, .priority, nil: throw .filter("Unknown filter type")
        }
    }
}

extension String {
    /// True if a path stays inside the library: no part of it is empty, `.` or `..`.
    package var isSafePath: Bool {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            part.count > 2 || !part.allSatisfy { $0 == UInt8(ascii: ".") }
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

extension SongFilter {
    /// The filter as an expression in MPD's normal form, such as `((Artist == "x") AND (Album != "y"))`.
    package var expression: String {
        switch self {
        case .all: "(base \"\")"
        case .text(let subject, let test):
            "(\(subject.expressionName) \(test.expressionOperator) \(Self.quoted(test.value)))"
        case .base(let path): "(base \(Self.quoted(path)))"
        case .modifiedSince(let time): "(modified-since \"\(TimeStamp.text(time))\")"
        case .addedSince(let time): "(added-since \"\(TimeStamp.text(time))\")"
        case .audioFormat(let format):
            "(AudioFormat \(format.isFullyDefined ? "==" : "=~") \"\(format.wireText)\")"
        case .priority(let priority): "(prio >= \(priority))"
        case .and(let parts): "(" + parts.map(\.expression).joined(separator: " AND ") + ")"
        case .not(let inner): "(!\(inner.expression))"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "'" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}

extension SongFilter.Subject {
    fileprivate var expressionName: String {
        switch self {
        case .tag(let tag): "\(tag.wireName)"
        case .any: "any"
        case .file: "file"
        }
    }
}

extension StringTest {
    /// The operator's symbol; whether case counts is lost, as in MPD.
    fileprivate var expressionOperator: String {
        switch self.operator {
        case .equals: isNegated ? "!=" : "=="
        case .contains: isNegated ? "!contains" : "contains"
        case .startsWith: isNegated ? "!starts_with" : "starts_with"
        case .regularExpression: isNegated ? "!~" : "=~"
        }
    }
}

extension AudioFormat {
    fileprivate var isFullyDefined: Bool { sampleRate > 0 && sample != .unknown && channels > 0 }
}
