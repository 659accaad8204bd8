import Outputs

/// Connections to an Icecast server, encrypted or not.
///
/// - Isolation: a thread that may wait for the server, for some seconds.
enum IcecastConnection {
    /// True where the connection is to be encrypted from its first byte.
    ///
    /// - Throws: a problem, where the settings leave it to the server and that can't be asked.
    static func isEncrypted(_ settings: IcecastSettings) throws(OutputProblem) -> Bool {
        switch settings.encryption {
        case .disabled: false
        case .required, .https: true
        case .auto: try !speaksPlainly(settings)
        }
    }

    /// Asks the server a question without encryption, which holds no secret; false if it doesn't answer.
    private static func speaksPlainly(_ settings: IcecastSettings) throws(OutputProblem) -> Bool {
        let connection = try TCPConnection(host: settings.host, port: settings.port, milliseconds: 3000)
        // Icecast 2.4 has no answer to OPTIONS.
        let question = "GET / HTTP/1.0\r\nHost: \(settings.host):\(settings.port)\r\nUser-Agent: Segue\r\n\r\n"
        try connection.send(Array(question.utf8))
        // One that wants encryption hangs up, or waits for more.
        do { return try status(from: connection, milliseconds: 3000) != nil } catch { return false }
    }

    /// Connects to the server.
    ///
    /// - Throws: a problem that says what to do about it.
    static func make(_ settings: IcecastSettings, isEncrypted: Bool) throws(OutputProblem) -> TCPConnection {
        let (host, port) = (settings.host, settings.port)
        let connection = try TCPConnection(host: host, port: port, milliseconds: 3000)
        guard isEncrypted else { return connection }
        do throws(TLSProblem) {
            try connection.encrypt(host: host, port: port, certificates: settings.certificates)
        } catch {
            throw OutputProblem("\(host):\(port): \(error.message)\(cure(for: error, settings))", cause: error)
        }
        return connection
    }

    private static func cure(for problem: TLSProblem, _ settings: IcecastSettings) -> String {
        switch problem {
        case .missing: ""
        case .unreadable: "; see tls_certificate"
        case .refused where settings.certificates != nil: "; it is not the one that tls_certificate names"
        case .refused: "; if it is your own, name its file in tls_certificate"
        case .broken: "; does this port speak TLS?"
        }
    }

    /// The status that the server answers with; nil if it does not in time.
    ///
    /// - Throws: a problem when it hangs up instead.
    static func status(from connection: TCPConnection, milliseconds: Int) throws(OutputProblem) -> Int? {
        guard let head = try connection.receiveHead(milliseconds: milliseconds) else { return nil }
        return String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
