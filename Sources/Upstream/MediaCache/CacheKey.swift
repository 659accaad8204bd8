/// Names the bytes of one song in one form, and so their file in the cache.
struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    let fileName: String
    let suffix: String
    let form: TrackForm
    /// Tells what comes where the original has to do.
    let originalSuffix: String

    /// Names a song of the server's in a form. The size of the original, if known, is part of the name, so that a file
    /// that changed on the server is another one here.
    init(id: String, form: TrackForm, suffix: String, size: Int64?) {
        self.form = form
        originalSuffix = Self.cleaned(suffix)
        self.suffix = Self.cleaned(form.suffix ?? suffix)
        // A file that changed may be decoded here.
        let version = form.isOriginal || form == .converted ? size ?? 0 : 0
        fileName = "\(Self.cleaned(id)).\(form.name).\(version).\(self.suffix)"
    }

    var description: String { fileName }

    private static func cleaned(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "_\(String(byte, radix: 16))_"
            }
        }
        if result.isEmpty { return "_" }
        // A file name ends at 255 bytes on most file systems.
        return result.utf8.count <= 120 ? result : "\(result.prefix(80))_\(CacheFolder.checksum([], text))"
    }
}

/// In which form songs are fetched.
package struct TrackForm: Hashable, Sendable {
    /// `raw` for the original, or what the server makes of it: `mp3`, `opus`, ...
    package var format: String
    /// kbit/s; nil is no limit.
    package var maxBitRate: Int?

    /// Makes a form; the original without arguments.
    package init(format: String = "raw", maxBitRate: Int? = nil) {
        (self.format, self.maxBitRate) = (format, maxBitRate)
    }

    /// The form on which the server decides for a song that can't be decoded here.
    static let converted = TrackForm(format: "converted")

    var isOriginal: Bool { format == "raw" }
    var suffix: String? { isOriginal ? nil : format }
    var name: String {
        format.filter { $0.isASCII && $0.isLetter || $0.isNumber } + (maxBitRate.map { "-\($0)" } ?? "")
    }
}
