import Foundation
import Glibc
import MPDSessions
import MusicModel
import NIOCore
import ServerLoop
import Testing

extension ServerTests {
    @Suite("Listening")
    struct ListenTests {
        @Test("sockets of the service manager are taken over, and a Unix socket's file stays")
        func inherited() async throws {
            let folder = try temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("socket").path
            let unix = try listeningSocket(try SocketAddress(unixDomainSocketPath: path))
            let tcp = try listeningSocket(try SocketAddress(ipAddress: "127.0.0.1", port: 0))
            try await TestServer.with { server in
                try await server.server.listen(onInherited: [(unix, true), (tcp, false)])
                let addresses = await server.server.boundAddresses
                #expect(addresses.count == 3)
                for address in addresses.dropFirst() {
                    let client = try await TestClient.greeted(address)
                    #expect(try await client.ask("ping") == ["OK"])
                }
            }
            #expect(FileManager.default.fileExists(atPath: path))
        }

        @Test("a socket without a file answers under its exact name, and a second server is told that it is taken")
        func abstractSocket() async throws {
            let name = "@segue-test-\(getpid())"
            try await TestServer.with([.unix(path: name)]) { _ in
                let descriptor = try #require(AbstractSocket(name)).connect()
                defer { close(descriptor) }
                // The server answers on a loop of its own, which this thread doesn't hold.
                let greeting = try await onThread {
                    var bytes = [UInt8](repeating: 0, count: 64)
                    let count = read(descriptor, &bytes, bytes.count)
                    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
                }
                #expect(greeting.hasPrefix("OK MPD"))
                #expect(throws: IOError.self) { try AbstractSocket(name + "x")?.connect() }
                await #expect(throws: ListenError.self) { try await TestServer.with([.unix(path: name)]) { _ in } }
            }
            #expect(throws: IOError.self) { try AbstractSocket(name)?.connect() }
        }

        @Test("names that no socket can have are refused", arguments: ["segue", "@", "@a\0b", "@" + longName + "x"])
        func impossibleNames(text: String) {
            #expect(AbstractSocket(text) == nil)
            #expect(AbstractSocket("@" + Self.longName) != nil)
        }

        private static let longName = String(repeating: "n", count: AbstractSocket.maxNameLength)

        @Test("a port in use is told with its address and the cure, and what was bound before is released")
        func portInUse() async throws {
            try await TestServer.with { server in
                let port = try #require(server.address.port)
                let folder = try temporaryFolder()
                defer { try? FileManager.default.removeItem(at: folder) }
                let path = folder.appendingPathComponent("socket").path
                do {
                    try await TestServer.with([.unix(path: path), .tcp(host: "127.0.0.1", port: port)]) { _ in }
                    Issue.record("the port was bound twice")
                } catch let error as ListenError {
                    #expect(error.message.contains("127.0.0.1:\(port)"))
                    #expect(error.message.contains("listen"))
                }
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }

        @Test("an address that isn't ours is told as such")
        func foreignAddress() async throws {
            do {
                try await TestServer.with([.tcp(host: "192.0.2.1", port: 0)]) { _ in }
                Issue.record("a foreign address was bound")
            } catch let error as ListenError {
                #expect(error.message.contains("192.0.2.1:0"))
                #expect(error.message.contains("no such address"))
            }
        }

        @Test("every interface and localhost take IPv4 clients", arguments: ["*", "localhost"])
        func names(host: String) async throws {
            try await TestServer.with([.tcp(host: host, port: 0)]) { server in
                let port = try #require(server.address.port)
                let client = try await TestClient.greeted(SocketAddress(ipAddress: "127.0.0.1", port: port))
                #expect(try await client.ask("ping") == ["OK"])
            }
        }

        @Test("a host name that can't be resolved is told as such")
        func unknownHost() async throws {
            do {
                try await TestServer.with([.tcp(host: "no-such-host.invalid", port: 0)]) { _ in }
                Issue.record("an unknown host was bound")
            } catch let error as ListenError {
                #expect(error.message.contains("no-such-host.invalid"))
                #expect(error.message.contains("host name"))
            }
        }

        @Test("a Unix socket serves its owner and group, and is gone after the server")
        func unixSocket() async throws {
            let folder = try temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("socket").path
            try await TestServer.with([.unix(path: path)]) { server in
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o660)
                let client = try await TestClient.greeted(SocketAddress(unixDomainSocketPath: path))
                #expect(try await client.ask("echo 1") == ["argument: 1", "OK"])
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test("a dead server's socket is replaced, a living one's is not")
        func staleSocket() async throws {
            let folder = try temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("socket").path
            try bindAndAbandon(path)
            #expect(FileManager.default.fileExists(atPath: path))
            try await TestServer.with([.unix(path: path)]) { _ in
                await #expect(throws: ListenError.self) { try await TestServer.with([.unix(path: path)]) { _ in } }
                let client = try await TestClient.greeted(SocketAddress(unixDomainSocketPath: path))
                #expect(try await client.ask("ping") == ["OK"])
            }
        }

        @Test("one more socket is made with its folder, and left to the server that has it")
        func oneMoreSocket() async throws {
            let folder = try temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("mpd/socket").path
            try await TestServer.with { first in
                await first.server.listenIfPossible(at: path)
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/mpd")[.posixPermissions]
                #expect(mode as? Int == 0o700)
                try await TestServer.with { second in
                    await second.server.listenIfPossible(at: path)
                    #expect(await second.server.boundAddresses.count == 1)
                    let other = try await TestClient.greeted(second.address)
                    #expect(try await other.ask("ping") == ["OK"])
                }
                let client = try await TestClient.greeted(SocketAddress(unixDomainSocketPath: path))
                #expect(try await client.ask("ping") == ["OK"])
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test("a file in the socket's place is left alone")
        func fileInPlace() async throws {
            let folder = try temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("socket").path
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: ListenError.self) { try await TestServer.with([.unix(path: path)]) { _ in } }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            await #expect(throws: ListenError.self) {
                try await TestServer.with([.unix(path: folder.path + "/missing/socket")]) { _ in }
            }
        }

        private func temporaryFolder() throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "segue-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }

        /// What a service manager passes on.
        private func listeningSocket(_ address: SocketAddress) throws -> CInt {
            let family = address.pathname == nil ? AF_INET : AF_UNIX
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            let bound = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
            try #require(bound == 0 && Glibc.listen(descriptor, 5) == 0)
            return descriptor
        }

        /// Leaves a socket's file without anyone behind it.
        private func bindAndAbandon(_ path: String) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { Glibc.close(descriptor) }
            let bound = try SocketAddress(unixDomainSocketPath: path).withSockAddr {
                bind(descriptor, $0, socklen_t($1))
            }
            #expect(bound == 0)
        }
    }
}
