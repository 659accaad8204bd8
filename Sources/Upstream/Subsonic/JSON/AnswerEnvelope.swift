import MusicModel

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

    /// Reads a whole answer; `readMember` is given the name of each member that isn't the frame's own, and reads it.
    /// - Throws: `JSONProblem` where this is no answer.
    init(
        _ bytes: UnsafeRawBufferPointer, readMember: (inout JSONReader, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var reader = JSONReader(bytes)
        var (isFound, status): (Bool, String?) = (false, nil)
        try reader.member("subsonic-response") { reader in
            isFound = true
            try reader.members { reader, name in
                switch name {
                case "status": status = try reader.text()
                case "version": identity.apiVersion = try reader.text()?.quotable(utf8: 80) ?? ""
                // They are printed to terminals, too.
                case "type": identity.type = try reader.nonEmptyText()?.quotable(utf8: 80)
                case "serverVersion": identity.serverVersion = try reader.nonEmptyText()?.quotable(utf8: 80)
                case "openSubsonic": identity.isOpenSubsonic = try reader.bool() ?? false
                case "error": failure = try Failure(&reader)
                default: try readMember(&reader, name)
                }
            }
        }
        try reader.end()
        guard isFound else { throw reader.problem("subsonic-response is missing") }
        guard let status else { throw reader.problem("the status is missing") }
        failure = status == "ok" ? nil : failure ?? Failure(code: 0, message: "unknown error")
    }

    /// Reads the error out of an answer in XML, which servers fall back to when they can't read the request; nil where
    /// this is no such answer.
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

extension AnswerEnvelope.Failure {
    /// Reads an error; supysonic nests several under the first.
    fileprivate init(_ reader: inout JSONReader) throws {
        self.init(code: 0, message: "")
        try reader.members { reader, name in
            switch name {
            case "code": code = try reader.notNegative() ?? 0
            case "message": message = try reader.text() ?? ""
            case "error":
                try reader.elements { reader in
                    let inner = try Self(&reader)
                    if message.isEmpty { message = inner.message }
                }
            default: try reader.skip()
            }
        }
    }
}
