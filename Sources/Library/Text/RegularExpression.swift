import CPCRE2
import Synchronization

/// A compiled regular expression of `=~`, applied to UTF-8.
///
/// PCRE's syntax, as in MPD. Unlike there a letter is a letter also outside ASCII, for `.` and for case. A pattern that
/// would backtrack for seconds gives up and does not match.
///
/// - Source: MPD v0.24.13 src/lib/pcre/UniqueRegex.cxx and .hxx.
final class RegularExpression: Sendable {
    // The pointers are used only inside the lock, and freed once, when nobody holds the object any more.
    private struct State: @unchecked Sendable {
        let code: OpaquePointer
        let results: OpaquePointer?
        let limits: OpaquePointer?
    }

    private let state: Mutex<State>
    /// PCRE's unit of work; some milliseconds of backtracking on one value.
    private static let mostSteps: UInt32 = 1_000_000

    /// Compiles a pattern.
    ///
    /// - Throws: `LibraryError.badExpression` that names the offset of the mistake and what it is.
    init(_ pattern: String, foldsCase: Bool) throws {
        let options = PCRE2_DOTALL | PCRE2_NO_AUTO_CAPTURE | PCRE2_UTF | (foldsCase ? PCRE2_CASELESS : 0)
        var problem: Int32 = 0
        var offset = 0
        let units = Array(pattern.utf8)
        guard let code = pcre2_compile_8(units, units.count, options, &problem, &offset, nil) else {
            throw LibraryError(.badExpression, "Error in regex at offset \(offset): \(Self.text(of: problem))")
        }
        // Where the machine has no compiler of PCRE's, matching takes longer and says the same.
        pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
        let limits = pcre2_match_context_create_8(nil)
        pcre2_set_match_limit_8(limits, Self.mostSteps)
        state = Mutex(
            State(code: code, results: pcre2_match_data_create_from_pattern_8(code, nil), limits: limits))
    }

    deinit {
        state.withLock {
            pcre2_match_data_free_8($0.results)
            pcre2_match_context_free_8($0.limits)
            pcre2_code_free_8($0.code)
        }
    }

    /// Whether the pattern matches somewhere in the text.
    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(matches)
    }

    /// Whether the pattern matches somewhere in valid UTF-8.
    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // PCRE refuses a null pointer, which an empty text may have.
        withUnsafePointer(to: 0) { nothing in
            state.withLock {
                pcre2_match_8(
                    $0.code, text.baseAddress ?? nothing, text.count, 0, PCRE2_NO_UTF_CHECK, $0.results, $0.limits) >= 0
            }
        }
    }

    private static func text(of problem: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(problem, &bytes, bytes.count)
        return count < 0 ? "error \(problem)" : String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }
}
