import AudioFiles
import Coordination
import Foundation
import Logging
import MusicModel
import Outputs

/// Sends encoded sound to an Icecast server, which serves it to any number of listeners.
final class IcecastDriver: OutputDriver {
    let isPerishable = true
    let takesSilence = true
    let idleLimit: Nanoseconds? = .seconds(1)
    private let specification: OutputSpecification
    private let settings: IcecastSettings
    private let encoding: StreamEncoding
    private let log: Logger
    private var connection: TCPConnection?
    private var stream: EncodedStream?
    private var titles: TitleFollower
    private var isEncrypted = false

    init(_ specification: OutputSpecification, log: Logger) {
        self.specification = specification
        self.log = log
        settings = specification.shout
        encoding = specification.encoding ?? .usual(for: .shout, path: nil)
        titles = TitleFollower(isFollowing: specification.sendsTitles)
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        isEncrypted = try IcecastConnection.isEncrypted(settings)
        let made = try IcecastConnection.make(settings, isEncrypted: isEncrypted)
        try made.send(Array(request.utf8))
        try check(answer(of: made))
        let format = encoding.format(
            specification.format, for: SampleLayout(rate: 44100, channels: specification.fixedChannels))
        // Icecast keeps the headers of Ogg for those that join later, and knows FLAC only in Ogg.
        stream = EncodedStream(encoding, inOgg: true, format: format)
        titles = TitleFollower(isFollowing: specification.sendsTitles)
        connection = made
    }

    private var authorization: String {
        "Basic " + Data("\(settings.user):\(settings.password?.reveal() ?? "")".utf8).base64EncodedString()
    }

    private var request: String {
        var lines = [
            "PUT \(settings.mount) HTTP/1.1", "Host: \(settings.host):\(settings.port)",
            "Authorization: \(authorization)", "User-Agent: Segue",
            "Content-Type: \(encoding.contentType(inOgg: true))",
            "Ice-Public: \(settings.isPublic ? 1 : 0)", "Ice-Name: \(specification.name)", "Expect: 100-continue",
        ]
        if let genre = settings.genre { lines.append("Ice-Genre: \(genre)") }
        if let description = settings.description { lines.append("Ice-Description: \(description)") }
        if let website = settings.website { lines.append("Ice-URL: \(website)") }
        if let bitRate = encoding.bitRate { lines.append("Ice-Bitrate: \(bitRate)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func answer(of connection: TCPConnection) throws(OutputProblem) -> Int {
        do {
            if let status = try IcecastConnection.status(from: connection, milliseconds: 5000) { return status }
        } catch {
            let cure = isEncrypted ? "" : "; if it wants encryption, set tls = \"rfc2818\""
            throw OutputProblem(
                "\(settings.host):\(settings.port) ends the connection without an answer\(cure)", cause: error)
        }
        throw OutputProblem("\(settings.host):\(settings.port) doesn't answer")
    }

    private func check(_ status: Int) throws(OutputProblem) {
        switch status {
        case 100, 200: return
        case 401: throw OutputProblem("\(settings.host) doesn't accept the user or the password")
        case 403: throw OutputProblem("\(settings.host) refuses the stream \(settings.mount): perhaps another sends it")
        default: throw OutputProblem("\(settings.host) answers with status \(status)")
        }
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let stream else { return }
        if let tags = titles.newTags(of: block) {
            if encoding.hasChapters(inOgg: true) {
                try send(stream.startChapter(tags))
            } else {
                tell(tags.line)
            }
        }
        try send(stream.write(block.samples, block.layout))
    }

    private func send(_ pieces: [EncodedPiece]) throws(OutputProblem) {
        guard let connection else { return }
        for piece in pieces { try connection.send(piece.bytes) }
        guard connection.backlog < Self.limit else { throw OutputProblem("\(settings.host) takes no more sound") }
    }

    private static let limit = 1_048_576

    func poll() throws(OutputProblem) {
        guard let stream, let connection else { return }
        try send(stream.take())
        try connection.push()
        while try !connection.receive().isEmpty {}
    }

    var restMilliseconds: Int { 100 }

    func close() {
        if let stream { try? send(stream.finish()) }
        connection?.finish(milliseconds: 500)
        (connection, stream) = (nil, nil)
    }

    /// Tells the server what plays by a request of its own, on a thread of its own.
    private func tell(_ title: String) {
        let (settings, isEncrypted, log, name) = (settings, isEncrypted, log, specification.name)
        let request = """
            GET /admin/metadata?mode=updinfo&mount=\(Self.escaped(settings.mount))&charset=UTF-8&song=\
            \(Self.escaped(title)) HTTP/1.0\r\nHost: \(settings.host)\r\nAuthorization: \(authorization)\r\n\
            User-Agent: Segue\r\n\r\n
            """
        let isStarted = BlockingThread.start("icecast title") {
            do throws(OutputProblem) {
                let connection = try IcecastConnection.make(settings, isEncrypted: isEncrypted)
                try connection.send(Array(request.utf8))
                connection.finish(milliseconds: 3000)
                _ = try connection.receive(milliseconds: 3000)
            } catch {
                log.info("Output \"\(name)\": the server was not told the title: \(chain: error)")
            }
        }
        if !isStarted { log.info("Output \"\(name)\": the server was not told the title: \(BlockingThread.missing)") }
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}

extension IcecastSettings: DriverSettings {
    func driver(of output: OutputSpecification, _ context: DriverContext) -> any OutputDriver {
        IcecastDriver(output, log: context.log)
    }
}

/// Connections to an Icecast server, encrypted or not.
/// - Isolation: a thread that may wait for the server, for some seconds.
enum IcecastConnection {
    /// True where the connection is to be encrypted from its first byte.
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
    static func status(from connection: TCPConnection, milliseconds: Int) throws(OutputProblem) -> Int? {
        guard let head = try connection.receiveHead(milliseconds: milliseconds) else { return nil }
        return String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
