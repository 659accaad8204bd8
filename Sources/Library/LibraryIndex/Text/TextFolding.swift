import MusicModel
import _FoundationICU

/// The folding that makes `search` blind to case: Unicode NFKC case folding, then punctuation turned to ASCII.
/// - Source: MPD v0.24.13 src/lib/icu/Canonicalize.cxx (`[:Punctuation:] Latin-ASCII` after NFKC_Casefold).
enum TextFolding {
    /// The text in its folded form, with or without diacritics.
    /// - Source: MPD's master, src/lib/icu/Canonicalize.cxx (`NFD; [:M:] Remove; NFC` before the folding).
    static func folded(_ text: String, stripping: Bool = false) -> String {
        var (text, buffer) = (text, [UInt8]())
        text.withUTF8 { fold($0, stripping: stripping, into: &buffer) }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Folds bytes of UTF-8 into `buffer`, whose old contents are lost; for loops that must not allocate per row.
    static func fold(_ bytes: UnsafeBufferPointer<UInt8>, stripping: Bool = false, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        switch shape(of: bytes) {
        case .foldedASCII: buffer.append(contentsOf: bytes)
        case .mixedASCII: for byte in bytes { buffer.append(lowercased(byte)) }
        case .unicode:
            let text = String(decoding: bytes, as: UTF8.self)
            buffer.append(contentsOf: foldedUnicode(stripping ? withoutMarks(text) : text).utf8)
        }
    }

    private enum Shape { case foldedASCII, mixedASCII, unicode }

    private static func shape(of bytes: UnsafeBufferPointer<UInt8>) -> Shape {
        var union: UInt8 = 0
        var hasUpperCase = false
        for byte in bytes {
            union |= byte
            hasUpperCase = hasUpperCase || (byte &- 0x41) < 26
        }
        if union >= 0x80 { return .unicode }
        return hasUpperCase ? .mixedASCII : .foldedASCII
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (byte &- 0x41) < 26 ? byte | 0x20 : byte }

    // Immutable and documented by ICU as safe to share between threads; it is never closed.
    nonisolated(unsafe) private static let normalizer: OpaquePointer? = {
        var status = U_ZERO_ERROR
        return swift_unorm2_getNFKCCasefoldInstance(&status)
    }()

    nonisolated(unsafe) private static let decomposer: OpaquePointer? = {
        var status = U_ZERO_ERROR
        return swift_unorm2_getNFDInstance(&status)
    }()

    private static func withoutMarks(_ text: String) -> String {
        guard let units = normalized(text, by: decomposer) else { return text }
        let scalars = String(decoding: units, as: UTF16.self).unicodeScalars
        return String(String.UnicodeScalarView(scalars.filter { !$0.properties.generalCategory.isMark }))
    }

    private static func foldedUnicode(_ text: String) -> String {
        guard normalizer != nil else { return text.lowercased() }
        guard let units = normalized(text, by: normalizer) else { return text }
        return String(decoding: withPlainPunctuation(units), as: UTF16.self)
    }

    /// The text in a normal form, in UTF-16; nil where ICU can't.
    private static func normalized(_ text: String, by normalizer: OpaquePointer?) -> ArraySlice<UInt16>? {
        guard let normalizer else { return nil }
        let source = Array(text.utf16)
        var target = [UInt16](repeating: 0, count: source.count * 2 + 16)
        var status = U_ZERO_ERROR
        var length = swift_unorm2_normalize(
            normalizer, source, Int32(source.count), &target, Int32(target.count), &status)
        if status == U_BUFFER_OVERFLOW_ERROR {
            target = [UInt16](repeating: 0, count: Int(length))
            status = U_ZERO_ERROR
            length = swift_unorm2_normalize(
                normalizer, source, Int32(source.count), &target, Int32(target.count), &status)
        }
        return status.rawValue <= U_ZERO_ERROR.rawValue ? target[..<Int(length)] : nil
    }

    private static func withPlainPunctuation(_ units: ArraySlice<UInt16>) -> [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        for unit in units {
            if unit >= 0x80, let plain = plainPunctuation[unit] {
                result.append(contentsOf: plain)
            } else {
                result.append(unit)
            }
        }
        return result
    }

    /// The texts that ICU's Latin-ASCII makes of each punctuation mark; asked once, since the transform itself is slow.
    private static let plainPunctuation: [UInt16: [UInt16]] = {
        let name = Array("[:Punctuation:] Latin-ASCII".utf16)
        var status = U_ZERO_ERROR
        guard
            let transform = swift_utrans_openU(name, Int32(name.count), UTRANS_FORWARD, nil, 0, nil, &status),
            status.rawValue <= U_ZERO_ERROR.rawValue
        else { return [:] }
        defer { swift_utrans_close(transform) }
        var table: [UInt16: [UInt16]] = [:]
        for unit in UInt16(0x80)...0xFFFF {
            guard let scalar = Unicode.Scalar(unit), scalar.properties.generalCategory.isPunctuation else { continue }
            var buffer = [unit] + [UInt16](repeating: 0, count: 15)
            var length: Int32 = 1
            var limit: Int32 = 1
            status = U_ZERO_ERROR
            swift_utrans_transUChars(transform, &buffer, &length, Int32(buffer.count), 0, &limit, &status)
            let plain = Array(buffer[..<Int(length)])
            if status.rawValue <= U_ZERO_ERROR.rawValue, plain != [unit] { table[unit] = plain }
        }
        return table
    }()
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }

    fileprivate var isPunctuation: Bool {
        switch self {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}

extension StringTest {
    func form(of text: String) -> String { foldsCase ? TextFolding.folded(text, stripping: stripsDiacritics) : text }

    /// Puts bytes of UTF-8 as this test compares them into `buffer`; only where case doesn't count.
    func fold(_ bytes: UnsafeBufferPointer<UInt8>, into buffer: inout [UInt8]) {
        TextFolding.fold(bytes, stripping: stripsDiacritics, into: &buffer)
    }
}
