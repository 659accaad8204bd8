import ArgumentParser
import Diagnosis
import Foundation
import MPDProtocol
import MPDSessions
import SegueConfiguration
import WebServer

/// `segue status`: what the running server does, for people in a terminal and for scripts.
struct ShowStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the running server plays and how it is.",
        discussion: "Asks the page's address under [web] listen. Ends with status 1 when there is no answer.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print all of it as JSON, as GET /api/status answers.")
    var json = false

    func run() async throws {
        let configuration = try options.loadForServing()
        guard let address = configuration.web.listen.lazy.compactMap(Self.plain).first else {
            throw CommandFailure(
                "[web] listen has no address without TLS, which segue status asks; see also segue check --running")
        }
        let answer = try await Self.ask(address, configuration)
        if json { return print(String(decoding: answer, as: UTF8.self)) }
        guard let status = ShownStatus(answer) else {
            throw CommandFailure("the answer can't be read; is it another version of Segue?")
        }
        print(status.text)
    }

    private static func plain(_ address: ListenerAddress) -> (host: String, port: Int)? {
        guard case .tcp(let host, let port) = address else { return nil }
        return (["0.0.0.0", "*", "::"].contains(host) ? "127.0.0.1" : host, port)
    }

    /// Asks, with a token of its own where that is needed: who may write the state directory may read the status.
    private static func ask(_ address: (host: String, port: Int), _ configuration: Configuration) async throws -> Data {
        do {
            let first = try await LocalRequest.get("/api/status", at: address)
            guard first.status == 401 else { return try first.body(of: address) }
            let secrets = IssuedSecrets(path: configuration.server.stateDirectory + "/web-tokens.json")
            let token = try secrets.add(name: "segue status", permissions: Permission.read.rawValue)
            defer {
                do { _ = try secrets.remove(id: token.id) } catch {
                    let text = "segue: take back the token \(token.id) with `segue token`: \(systemMessage(error))\n"
                    FileHandle.standardError.write(Data(text.utf8))
                }
            }
            return try await LocalRequest.get("/api/status", at: address, token: token.secret).body(of: address)
        } catch let error as LocalRequestError {
            throw CommandFailure(error.message)
        } catch {
            throw CommandFailure("no answer from \(address.host):\(address.port): \(error). Does segue serve run?")
        }
    }
}
