package import CSound

/// Turns GStreamer's errors into sentences for a person; never passes on URLs or debug texts, which may hold secrets.
package enum ErrorMessages {
    /// The text of an error message of a bus.
    package static func text(of message: BusMessage) -> String {
        guard let error = segue_message_error(message.pointer) else { return "unknown error" }
        defer { g_error_free(error) }
        return text(error: UnsafePointer(error))
    }

    /// The description that a sound device gives of an error: its own words, which know more than their code.
    package static func deviceText(of message: BusMessage) -> String {
        guard let error = segue_message_error(message.pointer) else { return "unknown error" }
        defer { g_error_free(error) }
        if segue_error_is_stream(error) != 0 { return "it takes no sound" }
        if segue_error_is_resource(error) != 0, let known = resource(UInt32(bitPattern: error.pointee.code)) {
            return known
        }
        var text = String(cString: error.pointee.message)
        if text.hasSuffix(".") { text.removeLast() }
        guard let detail = segue_message_detail(message.pointer) else { return text }
        defer { g_free(detail) }
        // The first line says where in GStreamer's code, the second one why.
        let lines = String(cString: detail).split(separator: "\n")
        return lines.count > 1 ? "\(text): \(lines[1])" : text
    }

    /// The text of an error that no message of a bus brought.
    package static func text(error: UnsafePointer<GError>) -> String {
        if let known = known(error) { return known }
        let message = String(cString: error.pointee.message)
        return message.contains("://") ? "the stream can't be played" : message
    }

    /// True if an error message of a bus says that the bytes can't be decoded here.
    package static func isUndecodable(_ message: BusMessage) -> Bool {
        guard let error = segue_message_error(message.pointer) else { return false }
        defer { g_error_free(error) }
        return segue_error_is_stream(error) != 0 || isMissingDecoder(error)
    }

    /// True if an error says that nothing here decodes what came.
    package static func isMissingDecoder(_ error: UnsafePointer<GError>) -> Bool {
        segue_error_is_core(error) != 0
            && UInt32(bitPattern: error.pointee.code) == GST_CORE_ERROR_MISSING_PLUGIN.rawValue
    }

    private static func known(_ error: UnsafePointer<GError>) -> String? {
        let code = UInt32(bitPattern: error.pointee.code)
        if segue_error_is_stream(error) != 0 { return stream(code) }
        if segue_error_is_resource(error) != 0 { return resource(code) }
        if isMissingDecoder(error) { return missingDecoder }
        return nil
    }

    static let missingDecoder =
        "no decoder for this kind of audio is installed (try gstreamer1.0-plugins-good, -bad, -ugly and -libav)"

    private static func stream(_ code: UInt32) -> String? {
        switch code {
        case GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue, GST_STREAM_ERROR_WRONG_TYPE.rawValue: "this is not audio"
        case GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue: missingDecoder
        case GST_STREAM_ERROR_DECODE.rawValue: "the audio is damaged and can't be decoded"
        case GST_STREAM_ERROR_DEMUX.rawValue: "the file is damaged or breaks off"
        case GST_STREAM_ERROR_DECRYPT.rawValue, GST_STREAM_ERROR_DECRYPT_NOKEY.rawValue: "the audio is encrypted"
        case GST_STREAM_ERROR_FAILED.rawValue: "the audio is damaged or empty"
        default: nil
        }
    }

    private static func resource(_ code: UInt32) -> String? {
        switch code {
        case GST_RESOURCE_ERROR_NOT_FOUND.rawValue: "not found"
        case GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue: "access was refused"
        case GST_RESOURCE_ERROR_BUSY.rawValue: "the device is in use by another program"
        default: nil
        }
    }
}
