package import MusicModel

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
