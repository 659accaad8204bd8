import Glibc
import Synchronization

/// Converts texts between UTF-8 and another charset, exactly or not at all, on any thread, one at a time.
final class CharsetConverter: Sendable {
    /// The C library's converters, which cost a look into its files each time they are opened.
    private struct Handles {
        let decoder: iconv_t
        let encoder: iconv_t
    }

    private let handles: Mutex<Handles>

    /// Opens a charset; nil for one that the system doesn't know, and for one in which bytes of ASCII mean something
    /// else, as in UTF-16: separators of paths could not be told from parts of letters there.
    init?(charset: String) {
        guard TextDecoding.knows(charset: charset) else { return nil }
        guard let decoder = Self.open(to: "UTF-8", from: charset) else { return nil }
        guard let encoder = Self.open(to: charset, from: "UTF-8") else {
            iconv_close(decoder)
            return nil
        }
        handles = Mutex(Handles(decoder: decoder, encoder: encoder))
        // Shift-JIS has the yen and an overline in place of `\` and `~`, which separate nothing.
        let plain = (UInt8(0x20)...0x7D).filter { $0 != UInt8(ascii: "\\") }
        guard decoded(plain) == plain, encoded(plain) == plain else { return nil }
    }

    private static func open(to target: String, from source: String) -> iconv_t? {
        let converter = iconv_open(target, source)
        return Int(bitPattern: converter) == -1 ? nil : converter
    }

    deinit {
        handles.withLock {
            iconv_close($0.decoder)
            iconv_close($0.encoder)
        }
    }

    func decoded(_ bytes: [UInt8]) -> [UInt8]? { handles.withLock { Self.convert(bytes, $0.decoder) } }

    func encoded(_ bytes: [UInt8]) -> [UInt8]? { handles.withLock { Self.convert(bytes, $0.encoder) } }

    private static func convert(_ bytes: [UInt8], _ converter: iconv_t) -> [UInt8]? {
        // The last conversion may have ended within a letter.
        iconv(converter, nil, nil, nil, nil)
        var input = bytes.map { CChar(bitPattern: $0) }
        // The most is a byte that stands for four letters of three bytes, in Tamil.
        var output = [CChar](repeating: 0, count: 12 * bytes.count + 16)
        var room = output.count
        let isExact = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (next, left, end) = (input.baseAddress, input.count, output.baseAddress)
                // Some converters wait with a letter for an accent that may follow.
                return iconv(converter, &next, &left, &end, &room) == 0 && left == 0
                    && iconv(converter, nil, nil, &end, &room) == 0
            }
        }
        return isExact ? output[..<(output.count - room)].map { UInt8(bitPattern: $0) } : nil
    }
}
