import AsyncHTTPClient
import Foundation
import MPDCommands
import MPDProtocol
import NIOCore
import NIOHTTP1
import Subsonic

/// Reads playlists of local folders and of web servers, and lists folders.
///
/// A playlist may have 4 MiB and a web server 15 seconds. Errors name neither the address nor what is in it.
final class OutsideFileReader: OutsideFiles {
    private static let largestPlaylist = 4 << 20
    private static let patience = TimeAmount.seconds(15)
    private let http: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        // Another origin gets no credentials: the client takes them off.
        configuration.redirectConfiguration = .follow(max: 5, allowCycles: false)
        configuration.timeout.connect = Self.patience
        configuration.timeout.read = Self.patience
        configuration.trustFileOfEnvironment()
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // A client that was not shut down ends the process, also when a start fails for another reason.
    deinit {
        let http = http
        Task { try? await http.shutdown() }
    }

    /// Closes the connections.
    func shutDown() async { try? await http.shutdown() }

    // MARK: Web servers

    func playlist(
        url: String, accepts: @Sendable (_ mimeType: String?) -> Bool
    ) async throws -> (bytes: [UInt8], mimeType: String?)? {
        do {
            return try await download(url, accepts: accepts)
        } catch let error as AckError {
            throw error
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge
        } catch let error as HTTPClientError where error == .readTimeout || error == .connectTimeout {
            throw AckError(.system, "The server of the playlist takes too long to answer")
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            throw AckError(.system, "The server of the playlist takes too long to answer")
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw AckError(.system, "The server of the playlist can't be reached")
        }
    }

    private static var tooLarge: AckError { AckError(.system, "The playlist is too large") }

    private func download(
        _ url: String, accepts: @Sendable (_ mimeType: String?) -> Bool
    ) async throws -> (bytes: [UInt8], mimeType: String?)? {
        let response = try await http.execute(try Self.request(url), timeout: Self.patience)
        switch response.status.code {
        case 200..<300: break
        case 404, 410: return nil
        case let code: throw AckError(.unknown, "got HTTP status \(code)")
        }
        let type = response.headers.first(name: "content-type")
        // A radio station's answer has no end; it is let go of unread.
        guard accepts(type) else { return nil }
        let body = try await response.body.collect(upTo: Self.largestPlaylist)
        return (Array(body.readableBytesView), type)
    }

    /// The request for a URL, whose user name and password go where servers expect them.
    private static func request(_ url: String) throws -> HTTPClientRequest {
        guard var parts = URLComponents(string: url) else { throw AckError(.argument, "Malformed URL") }
        let (user, password) = (parts.user, parts.password)
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        guard let address = parts.string else { throw AckError(.argument, "Malformed URL") }
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "user-agent", value: "segue")
        if let user { request.setBasicAuth(username: user, password: password ?? "") }
        return request
    }

    // MARK: Folders

    func playlist(file path: String) async throws -> [UInt8]? {
        try await onThread {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            guard status.st_size <= Self.largestPlaylist else { throw Self.tooLarge }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw AckError(.system, "The playlist can't be read")
            }
            return [UInt8](data)
        }
    }

    func contents(folder path: String) async throws -> [FolderEntry]? {
        try await onThread {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
            let sorted = names.filter { !$0.contains("\n") }.sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
            return sorted.compactMap { name in
                var status = stat()
                // Links are neither files nor folders to MPD.
                guard lstat("\(path)/\(name)", &status) == 0 else { return nil }
                let modified = Int64(status.st_mtim.tv_sec)
                switch status.st_mode & S_IFMT {
                case S_IFREG: return FolderEntry(name: name, size: Int64(status.st_size), modified: modified)
                case S_IFDIR: return FolderEntry(name: name, size: nil, modified: modified)
                default: return nil
                }
            }
        }
    }
}
