/// The frame around every answer: `{"subsonic-response": {"status": ..., MEMBER: ...}}`.
struct AnswerEnvelope: Sendable {
    /// An error that the server reports.
    struct Failure: Hashable, Sendable {
        var code: Int
        var message: String
    }

    /// The description that the server gives of itself.
    var identity = ServerIdentity(apiVersion: "", isOpenSubsonic: false)
    /// The error, if the call failed.
    var failure: Failure?

    private enum Member: String, CaseIterable {
        case status, version, type, serverVersion, openSubsonic, error
    }
    private enum FailureMember: String, CaseIterable {
        case code, message, error
    }

    private static let names = MemberNames<Member>()
    private static let failureNames = MemberNames<FailureMember>()

    /// Reads a whole answer.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - readMember: is given the name of each member that isn't the frame's own, and reads its value.
    /// - Throws: `JSONProblem` where this is no answer.
    init(
        _ bytes: UnsafeRawBufferPointer,
        readMember: (inout JSONReader, UnsafeRawBufferPointer) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        var reader = JSONReader(bytes)
        var found: AnswerEnvelope?
        try reader.members { (reader, name) throws(JSONProblem) in
            if name.elementsEqual("subsonic-response".utf8) {
                found = try AnswerEnvelope(&reader, readMember)
            } else {
                try reader.skip()
            }
        }
        try reader.end()
        guard let found else { throw reader.problem("subsonic-response is missing") }
        self = found
    }

    private init(
        _ reader: inout JSONReader,
        _ readMember: (inout JSONReader, UnsafeRawBufferPointer) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        var envelope = AnswerEnvelope()
        var status: String?
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .status: status = try reader.text()
            case .version: envelope.identity.apiVersion = try reader.text()?.quotable(utf8: 80) ?? ""
            // They are printed to terminals, too.
            case .type: envelope.identity.type = try reader.nonEmptyText()?.quotable(utf8: 80)
            case .serverVersion: envelope.identity.serverVersion = try reader.nonEmptyText()?.quotable(utf8: 80)
            case .openSubsonic: envelope.identity.isOpenSubsonic = try reader.bool() ?? false
            case .error: envelope.failure = try Self.failure(&reader)
            case nil: try readMember(&reader, name)
            }
        }
        guard let status else { throw reader.problem("the status is missing") }
        if status == "ok" {
            envelope.failure = nil
        } else if envelope.failure == nil {
            envelope.failure = Failure(code: 0, message: "unknown error")
        }
        self = envelope
    }

    private init() {}

    /// Reads an error; supysonic nests several under the first.
    private static func failure(_ reader: inout JSONReader) throws(JSONProblem) -> Failure? {
        var failure = Failure(code: 0, message: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch failureNames[name] {
            case .code: failure.code = try reader.notNegative() ?? 0
            case .message: failure.message = try reader.text() ?? ""
            case .error:
                try reader.elements { (reader) throws(JSONProblem) in
                    if let inner = try Self.failure(&reader), failure.message.isEmpty {
                        failure.message = inner.message
                    }
                }
            case nil: try reader.skip()
            }
        }
        return failure
    }

    /// Reads the error out of an answer in XML, which servers fall back to when they can't read the request.
    ///
    /// - Returns: nil where this is no such answer.
    static func failure(inXML bytes: UnsafeRawBufferPointer) -> Failure? {
        let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
        guard text.contains("<subsonic-response"), let error = text.firstRange(of: "<error") else { return nil }
        let rest = text[error.lowerBound...]
        let code = attribute("code", in: rest).flatMap { Int($0) }
        return Failure(code: code ?? 0, message: attribute("message", in: rest) ?? "")
    }

    private static func attribute(_ name: String, in text: Substring) -> String? {
        guard let start = text.firstRange(of: " \(name)=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}
