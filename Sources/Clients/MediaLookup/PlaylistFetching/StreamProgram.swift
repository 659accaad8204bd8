import Coordination
import Foundation
package import Logging
import MusicModel
package import Playback

/// Finds the streams behind the addresses of pages with a program of the user's choice, such as yt-dlp. It runs without
/// a shell, gets the address as its last argument and prints the answer. It sees neither our descriptors nor our
/// settings, may print 64 KiB, and is ended with all that it started when its time is over. Two run at a time.
package struct StreamProgram: Sendable {
    private static let maxAnswerSize = 64 << 10
    private static let maxAddressLength = 4096

    private let settings: ResolverSettings
    private let log: Logger
    private let running = ConcurrencyLimit(2)

    /// Names the program.
    package init(_ settings: ResolverSettings, log: Logger) { (self.settings, self.log) = (settings, log) }

    func takes(_ url: String) -> Bool {
        guard url.utf8.count <= Self.maxAddressLength, let target = PlaylistTarget(url) else { return false }
        var rest = Substring(target.host)
        while true {
            if settings.hosts.contains(String(rest)) { return true }
            guard let dot = rest.firstIndex(of: ".") else { return false }
            rest = rest[rest.index(after: dot)...]
        }
    }

    /// The streams that the program finds behind a URL, the best first; none where it fails, which the log says.
    func streams(at url: String) async -> [String] {
        guard let target = PlaylistTarget(url) else { return [] }
        do {
            try await running.acquire()
            defer { running.release() }
            // Without user, password and fragment, which are ours.
            let child = ChildProcess(
                words: settings.command + [target.url], timeout: settings.timeout, limit: Self.maxAnswerSize)
            let answer = try await onThread { isAbandoned in try child.run(isAbandoned) }
            let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
            let streams = lines.map(String.init).filter { PlaylistTarget($0) != nil }
            if streams.isEmpty { log.warning("The resolver found no stream behind an address of \(target.host)") }
            return streams
        } catch let problem as ChildProcess.Problem {
            log.warning("The resolver found no stream behind an address of \(target.host): \(problem.message)")
        } catch {
            log.debug("The resolver was given up: \(chain: error)")
        }
        return []
    }
}
