import CGIO
import LibraryIndex

/// An error of GIO's.
struct GIOError {
    /// Its number among GIO's own errors; nil for those of other libraries.
    private let code: Int32?
    /// Its words, in one line.
    let sentence: String

    /// Reads an error and frees it.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            (code, sentence) = (nil, "unknown error")
            return
        }
        defer { g_error_free(error) }
        g_dbus_error_strip_remote_error(error)
        code = error.pointee.domain == g_io_error_quark() ? error.pointee.code : nil
        sentence = Self.sentence(error.pointee.message.map { String(cString: $0) } ?? "")
    }

    /// True if it is one of GIO's errors.
    func isCode(_ code: GIOErrorEnum) -> Bool { self.code.map { UInt32(bitPattern: $0) == code.rawValue } ?? false }

    /// The failure that it means for a storage.
    func failure(at address: StorageAddress) -> StorageFailure {
        let sentence = address.withoutPassword(sentence)
        let isAny = { (codes: [GIOErrorEnum]) in codes.contains { isCode($0) } }
        if isAny([G_IO_ERROR_NOT_SUPPORTED]) { return .noBackend(scheme: address.backend) }
        if isAny([G_IO_ERROR_PERMISSION_DENIED]) { return .refusedLogin }
        if isAny([G_IO_ERROR_HOST_NOT_FOUND]) { return .unknownHost }
        if isAny([G_IO_ERROR_NOT_FOUND]) { return .notFound }
        if isAny([G_IO_ERROR_CANCELLED]) { return .cancelled }
        let unreachable = [
            G_IO_ERROR_CONNECTION_REFUSED, G_IO_ERROR_HOST_UNREACHABLE, G_IO_ERROR_NETWORK_UNREACHABLE,
            G_IO_ERROR_TIMED_OUT, G_IO_ERROR_NOT_CONNECTED, G_IO_ERROR_CONNECTION_CLOSED,
        ]
        return isAny(unreachable) ? .unreachable(sentence) : .other(sentence)
    }

    /// A text of a server in one line without control characters, and not too long for an answer.
    static func sentence(_ text: String) -> String {
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return String(words.joined(separator: " ").prefix(300))
    }
}
