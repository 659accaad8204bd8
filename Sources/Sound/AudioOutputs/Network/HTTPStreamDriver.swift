import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

/// Serves encoded sound over HTTP: every listener hears the same, from the moment at which it joins.
/// - Source: MPD v0.24.13 src/output/plugins/httpd behaves like this towards listeners.
final class HTTPStreamDriver: OutputDriver {
    let isPerishable = true
    let idleLimit: Nanoseconds? = .seconds(1)
    private let specification: OutputSpecification
    private let encoding: StreamEncoding
    private let context: DriverContext
    private var server: HTTPStreamServer?
    private var stream: EncodedStream?
    private var titles: TitleFollower
    private var aloneSince: Nanoseconds?

    init(_ specification: OutputSpecification, _ context: DriverContext) {
        (self.specification, self.context) = (specification, context)
        encoding = specification.encoding ?? .usual(for: .httpd, path: nil)
        titles = TitleFollower(isFollowing: specification.sendsTitles)
    }

    func prepare() throws(OutputProblem) {
        guard server == nil else { return }
        let settings = specification.httpd
        var served = HTTPStreamServer.Settings(
            name: specification.name, contentType: encoding.contentType(inOgg: false))
        (served.output, served.listenersChanged) = (settings, context.listenersChanged)
        served.hasTitlesBetween = specification.sendsTitles && !encoding.hasChapters(inOgg: false)
        served.backlog = max(262_144, encoding.bytesPerSecond(format) * 5)
        do {
            let server = try HTTPStreamServer(served, log: context.log)
            context.log.info("Output \"\(specification.name)\" listens on port \(server.port)")
            self.server = server
        } catch { throw OutputProblem("port \(settings.port) can't be used: \(error)", cause: error) }
    }

    /// A stream can't change its rate for listeners that are there, so it is the same for all songs.
    private var format: AudioFormat {
        encoding.format(specification.format, for: SampleLayout(rate: 44100, channels: specification.fixedChannels))
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try prepare()
        stream = EncodedStream(encoding, inOgg: false, format: format)
        (titles, aloneSince) = (TitleFollower(isFollowing: specification.sendsTitles), nil)
        server?.open()
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let server, let stream else { return }
        if let tags = titles.newTags(of: block) {
            if encoding.hasChapters(inOgg: false) {
                send(stream.startChapter(tags), to: server)
            } else {
                server.setTitle(tags.line)
            }
        }
        guard isHeard(server) else { return }
        send(try stream.write(block.samples, block.layout), to: server)
    }

    private func isHeard(_ server: HTTPStreamServer) -> Bool {
        if server.listenerCount > 0 {
            aloneSince = nil
            return true
        }
        guard let since = aloneSince else {
            aloneSince = context.clock.now
            return true
        }
        guard context.clock.now - since > Self.patience, server.forgetHeader() else { return true }
        _ = stream?.startChapter(titles.tags)
        return false
    }

    /// True if there was no listener for a while.
    private var isAlone: Bool {
        guard let aloneSince, context.clock.now - aloneSince > Self.patience else { return false }
        return server?.listenerCount == 0
    }

    /// How long the encoder continues without listeners.
    private static let patience: Nanoseconds = .seconds(10)

    private func send(_ pieces: [EncodedPiece], to server: HTTPStreamServer) {
        for piece in pieces { server.send(piece.bytes, isHeader: piece.isHeader) }
    }

    func poll() throws(OutputProblem) {
        guard let server, let stream else { return }
        send(try stream.take(), to: server)
    }

    var takesSilence: Bool { !isAlone }
    var restMilliseconds: Int { isAlone ? 1000 : 100 }

    func close() {
        if let stream, let server { send(stream.finish(), to: server) }
        stream = nil
        server?.hangUp()
    }

    func release() {
        server?.stop()
        server = nil
    }
}

extension HTTPOutputSettings: DriverSettings {
    func driver(of output: OutputSpecification, _ context: DriverContext) -> any OutputDriver {
        HTTPStreamDriver(output, context)
    }
}
