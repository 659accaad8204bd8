import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

extension SubsonicClient {
    /// The server's time, to the second, by the `Date` of its answers; nil where it doesn't say.
    ///
    /// - Throws: `SubsonicError`.
    @concurrent
    package func serverTime() async throws -> Date? {
        try await transport.send(SubsonicCall(name: "ping", parameters: [])) { response in
            _ = try await response.body.gathered(upTo: HTTPTransport.ordinaryAnswer)
            return response.headers.first(name: "Date").flatMap(HTTPDate.read)
        }
    }
}

/// Times as HTTP writes them, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
    /// Reads the form that servers have to send; nil for everything else.
    static func read(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
