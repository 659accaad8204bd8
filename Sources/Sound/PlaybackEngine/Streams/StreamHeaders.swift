import AudioFiles
import CSound
import Glibc

/// A web server's headers before the first byte of a stream.
struct StreamHeaders {
    private var status = 0
    private var hasLength = false
    private var isBroadcast = false
    private var isPage = false
    /// The station's name; nil where libsoup has put replacement characters into it.
    private(set) var name: String?
    /// True if the station has a name that libsoup can't read.
    private(set) var hasUnreadName = false
    private(set) var redirection: String?

    mutating func read(_ message: BusMessage) {
        guard message.isKind(GST_MESSAGE_ELEMENT), segue_message_has(message.pointer, "http-headers") != 0 else {
            return
        }
        func has(_ header: String) -> Bool { segue_message_has_header(message.pointer, header) != 0 }
        status = Int(segue_message_http_status(message.pointer))
        let type = segue_message_header(message.pointer, "content-type").map { String(cString: $0) } ?? ""
        isPage = type.lowercased().hasPrefix("text/html")
        hasLength = has("content-length")
        isBroadcast = Self.broadcastHeaders.contains(where: has)
        let location = segue_message_header(message.pointer, "location").map { String(cString: $0) }
        redirection = [301, 302, 303, 307, 308].contains(status) ? location : nil
        let told = segue_message_header(message.pointer, "icy-name").flatMap { header in
            Self.text(UnsafeBufferPointer(start: header, count: strlen(header)).map { UInt8(bitPattern: $0) })
        }
        hasUnreadName = hasUnreadName || told?.contains("\u{FFFD}") == true
        if let told, !hasUnreadName { name = told }
    }

    /// Asks the server again for the name that could not be read.
    mutating func readName(of url: String) {
        hasUnreadName = false
        name = (try? ServerHead.read(url, milliseconds: 2000))?.field("icy-name").flatMap(Self.text)
    }

    /// A header's text: UTF-8, or Latin-1 as older stations have it; nil where it says nothing.
    private static func text(_ bytes: [UInt8]) -> String? {
        let text = String(validating: bytes, as: UTF8.self) ?? String(bytes.map { Character(Unicode.Scalar($0)) })
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }))
        return visible.allSatisfy(\.isWhitespace) ? nil : visible
    }

    /// How headers begin that only broadcasts have; a name alone is also given to songs that some program sends.
    private static let broadcastHeaders = ["icy-metaint", "icy-br", "icy-sr", "icy-pub", "ice-"]

    /// True if the server's answer is a broadcast, which continues wherever one is connected to it.
    var isEndless: Bool { !hasLength && isBroadcast }
    /// True if the server has said nothing yet, as far as the error goes: then it doesn't say what is wrong either.
    func isUnexplained(_ error: UnsafePointer<GError>) -> Bool { status == 0 && Self.isFlowFailure(error) }

    /// True if an error says no more than that something stopped the flow of data.
    private static func isFlowFailure(_ error: UnsafePointer<GError>) -> Bool {
        segue_error_is_stream(error) != 0
            && UInt32(bitPattern: error.pointee.code) == GST_STREAM_ERROR_FAILED.rawValue
    }

    /// The message in the status for a failure that GStreamer has described.
    func failure(_ error: UnsafePointer<GError>) -> StreamFailure {
        var failure = StreamFailure(message: ErrorMessages.text(error: error), isNoSound: Self.isNoSound(error))
        switch status {
        case 404, 410: failure.message = "there is nothing at its address (\(status))"
        case 401, 403: failure.message = "the server refuses access (\(status))"
        case 400...: failure.message = "the server answers with the error \(status)"
        default:
            if segue_error_is_resource(error) != 0 { failure.message = text(error) }
            if Self.isFlowFailure(error) { failure.message = "the connection broke off" }
            if isPage, failure.isNoSound { failure.message = "there is a web page at its address, and no sound" }
        }
        failure.isFinal = (400..<500).contains(status) && status != 408 && status != 429
        failure.isRefused = segue_error_is_stream(error) != 0 && error.pointee.code == SEGUE_STREAM_ERROR_REFUSED
        failure.isGone = status == 404 || status == 410
        return failure
    }

    /// True if what came is nothing that could be decoded, and not just damaged.
    private static func isNoSound(_ error: UnsafePointer<GError>) -> Bool {
        if ErrorMessages.isMissingDecoder(error) { return true }
        let kinds = [
            GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE, GST_STREAM_ERROR_CODEC_NOT_FOUND,
        ]
        return segue_error_is_stream(error) != 0
            && kinds.contains { $0.rawValue == UInt32(bitPattern: error.pointee.code) }
    }

    private func text(_ error: UnsafePointer<GError>) -> String {
        switch UInt32(bitPattern: error.pointee.code) {
        case GST_RESOURCE_ERROR_NOT_FOUND.rawValue: "its server is not known"
        case GST_RESOURCE_ERROR_READ.rawValue: "the connection broke off"
        // One that has answered is there.
        case _ where status != 0: "the connection broke off"
        default: "its server can't be reached"
        }
    }
}
