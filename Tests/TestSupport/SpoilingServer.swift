import Synchronization

/// A server between a client and an honest fake Navidrome, which spoils answers on demand.
///
/// It has no events: clients look at the scan status instead.
/// - Isolation: any.
package final class SpoilingServer: Sendable {
    /// Makes the answer that is sent, of a call's name and the honest body.
    package typealias Rule = @Sendable (_ call: String, _ honest: [UInt8]) -> RawServer.Answer

    private struct State {
        var rule: Rule?
        var calls: Set<String> = []
        var spoiled: [String] = []
    }

    /// The honest server; its library can be changed at any time.
    package let honest: FakeNavidrome
    /// What clients are connected to.
    package let raw: RawServer
    private let state = Mutex(State())

    private init(_ honest: FakeNavidrome, _ raw: RawServer) { (self.honest, self.raw) = (honest, raw) }

    /// Starts both; all answers are honest at first.
    package static func start(songs: Int, options: FakeOptions = FakeOptions()) async throws -> SpoilingServer {
        let server = SpoilingServer(try await FakeNavidrome.start(songs: songs, options: options), try await .start())
        server.raw.answer { [weak server] request in server?.answer(request) ?? RawServer.Answer([]) }
        return server
    }

    /// Ends both.
    package func stop() async {
        await raw.stop()
        await honest.stop()
    }

    /// The address for clients.
    package var url: String { raw.url }

    /// Spoils the answers to some calls from now on, or to all where none is named; other answers are honest.
    package func spoil(_ calls: Set<String> = [], by rule: @escaping Rule) {
        state.withLock { $0 = State(rule: rule, calls: calls) }
    }

    /// Answers everything honestly from now on.
    package func beHonest() { state.withLock { $0.rule = nil } }

    /// The calls that were not answered honestly since they were spoiled last.
    package var spoiled: [String] { state.withLock { $0.spoiled } }

    private func answer(_ request: RawServer.Request) -> RawServer.Answer {
        let path = request.path
        guard path.hasPrefix("/rest/") else { return .page([], type: "text/plain", status: "404 Not Found") }
        let query = String(request.target.dropFirst(path.count + 1))
        let form = query + (query.isEmpty ? "" : "&") + String(decoding: request.body, as: UTF8.self)
        let asked = FakeRequest(
            method: request.method, path: path, query: query, parameters: FakeParameter.parse(form),
            headers: request.headers, body: request.body)
        let outcome = honest.outcome(of: asked)
        if outcome.isPicture { honest.pictureDone() }
        let made = outcome.answer ?? FakeAnswer(status: 404)
        let rule = state.withLock { state -> Rule? in
            guard let rule = state.rule, state.calls.isEmpty || state.calls.contains(asked.call) else { return nil }
            state.spoiled.append(asked.call)
            return rule
        }
        if let rule { return rule(asked.call, made.body) }
        let lines = made.headers.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }
        let type = made.headers.first { $0.name == "Content-Type" }?.value ?? "text/plain"
        return .page(made.body, type: type, lines, status: "\(made.status) OK")
    }
}
