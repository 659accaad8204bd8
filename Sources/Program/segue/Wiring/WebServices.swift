import Foundation
import LibraryIndex
import Logging
import MPDSessions
import NIOCore
import NetworkAddresses
import SegueConfiguration
import ServerLoop
import Supervision
import UserLibrary
import WebAPI
import WebServer

/// The page and the HTTP interface.
@ServerActor
final class WebServices {
    /// Where browsers connect; nil when it is switched off.
    private(set) var httpServer: HTTPServer?
    let sessions: SessionStore
    /// The ports by which other machines reach the page without encryption, each once.
    private(set) var portsForOtherMachines: [Int] = []
    private let log = Logger(label: "segue.web")
    private let configuration: Configuration
    private let server: MPDServer

    /// Puts them together; they are not reachable before `listen`.
    ///
    /// - Parameter passwords: those that count now; sessions of an earlier run that began with others end.
    init(
        _ configuration: Configuration, sessionsPath: String, hub: IdleHub,
        server: MPDServer, _ passwords: PasswordGate,
        _ parts: (SessionStore, PageFiles) -> WebParts
    ) {
        (self.configuration, self.server) = (configuration, server)
        sessions = SessionStore(path: sessionsPath)
        endOldSessions(passwords)
        guard !configuration.web.listen.isEmpty else { return }
        let files = PageFiles(directory: configuration.web.settings.directory)
        let interface = WebInterface(parts(sessions, files), hub: hub, log: log)
        httpServer = HTTPServer(configuration.web.settings, answers: interface, log: log)
    }

    /// Ends the sessions whose password, or the rules by which their page needed none, are others now.
    func endOldSessions(_ passwords: PasswordGate) {
        sessions.keep(origins: passwords.fingerprints.union([server.access.fingerprint]))
    }

    /// Where the page answers, of the configured addresses.
    private(set) var pages: [String] = []

    /// Lets browsers connect. An address that can't be had is one line in the log; the music plays without it.
    func listen(inherited: [InheritedSocket] = []) async {
        guard let httpServer else { return }
        for socket in inherited {
            await bind("an inherited socket") { try await httpServer.listen(onInherited: socket.duplicate()) }
        }
        guard inherited.isEmpty else { return }
        for address in configuration.web.listen {
            switch address {
            case .tcp(let host, let port):
                await bind("\(address)", "http") { try await httpServer.listen(host: host, port: port) }
            case .tls(let host, let port):
                await bind("\(address)", "https") {
                    try await httpServer.listen(host: host, port: port, tls: try await server.sharedCertificate())
                }
            case .unix: log.error("no page on \(address): browsers need host:port")
            }
        }
    }

    private func bind(_ name: String, _ scheme: String? = nil, _ body: () async throws -> SocketAddress?) async {
        do {
            let bound = try await body()
            if let scheme { pages.append("\(scheme)://\(name)/") }
            log.info("listening", metadata: ["address": "\(name)", "port": "\(bound?.port ?? 0)"])
            if let port = bound?.port, let host = bound?.ipAddress, !host.hasPrefix("127."), host != "::1",
                !portsForOtherMachines.contains(port)
            {
                portsForOtherMachines.append(port)
            }
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            log.error("no page on \(name): \(reason). Choose another address under [web] listen, or [] for no page.")
        }
    }

    /// Closes everything.
    func shutDown() async { await httpServer?.shutDown() }
}
