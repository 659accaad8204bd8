import MPDProtocol
import NIOCore
import NIOHTTP1
import WebServer

/// Addresses as pictures for phones' cameras; of texts that the page shows anyway, so that nothing is told by them.
///
/// The page asks for the text, since only the page knows by which name it was opened. Drawing here saves the page an
/// encoder. Passwords and one-time codes never come this way, as a request line may be logged.
enum QRCodeResource {
    /// The longest text, in characters; longer ones make codes that cameras hardly read.
    static let longest = 240

    static let routes = [
        Route(.GET, "/api/qr") { request in
            let text = request.http.query["text"] ?? ""
            guard (1...longest).contains(text.unicodeScalars.count), let code = QRCode(text) else {
                throw APIError.wrong("text", "text has to have 1 to \(longest) characters.")
            }
            return HTTPResponse(
                .ok, ByteBuffer(string: code.svg), type: "image/svg+xml",
                headers: ["cache-control": "private, max-age=86400"])
        }
    ]
}
