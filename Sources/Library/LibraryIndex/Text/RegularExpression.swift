import CPCRE2
import Coordination
import Synchronization

/// A compiled regular expression of `=~` for UTF-8, with PCRE's syntax as in MPD; a letter is a letter also outside
/// ASCII. A value on which it would backtrack for seconds is given up, counted by the query's budget, and does not
/// match. Settings in front, such as `(*LIMIT_MATCH=…)`, are refused, as they would lift these limits.
/// - Source: MPD v0.24.13 src/lib/pcre/UniqueRegex.cxx and .hxx.
final class RegularExpression: Sendable {
    // The pointers are used only inside the lock, and freed once, when the object is no longer held.
    private struct State: @unchecked Sendable {
        let code: OpaquePointer
        let results: OpaquePointer?
        let limits: OpaquePointer?
        let stack: OpaquePointer?
    }

    private let state: Mutex<State>
    /// PCRE's unit of work; some milliseconds of backtracking on one value.
    private static let maxSteps: UInt32 = 1_000_000
    /// How many places to come back to a match may keep, without PCRE's compiler.
    private static let maxDepth: UInt32 = 250_000
    private static let maxHeap: UInt32 = 16 * 1024
    private static let stackSizes = (first: 32 * 1024, largest: 1024 * 1024)

    private let budget: MatchingBudget
    /// The byte with which every match begins; nil where there is none, or it isn't known.
    let firstByte: UInt8?

    /// Compiles a pattern whose matches are counted against a budget.
    /// - Throws: `LibraryError.badExpression` that names the offset of the mistake and what it is.
    init(_ pattern: String, foldsCase: Bool, budget: MatchingBudget = MatchingBudget()) throws {
        guard !pattern.utf8.starts(with: "(*".utf8) else {
            throw LibraryError(.badExpression, "Error in regex at offset 0: settings in front of it are not allowed")
        }
        self.budget = budget
        let options = PCRE2_DOTALL | PCRE2_NO_AUTO_CAPTURE | PCRE2_UTF | (foldsCase ? PCRE2_CASELESS : 0)
        var problem: Int32 = 0
        var offset = 0
        let units = Array(pattern.utf8)
        guard let code = pcre2_compile_8(units, units.count, options, &problem, &offset, nil) else {
            throw LibraryError(.badExpression, "Error in regex at offset \(offset): \(Self.text(of: problem))")
        }
        firstByte = Self.firstByte(of: code, pattern, foldsCase: foldsCase)
        // Where the machine has no compiler of PCRE's, matching takes longer and says the same.
        pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
        let limits = pcre2_match_context_create_8(nil)
        pcre2_set_match_limit_8(limits, Self.maxSteps)
        pcre2_set_depth_limit_8(limits, Self.maxDepth)
        pcre2_set_heap_limit_8(limits, Self.maxHeap)
        let stack = pcre2_jit_stack_create_8(Self.stackSizes.first, Self.stackSizes.largest, nil)
        pcre2_jit_stack_assign_8(limits, nil, stack.map(UnsafeMutableRawPointer.init))
        state = Mutex(
            State(
                code: code, results: pcre2_match_data_create_from_pattern_8(code, nil), limits: limits, stack: stack))
    }

    deinit {
        state.withLock {
            pcre2_match_data_free_8($0.results)
            pcre2_match_context_free_8($0.limits)
            pcre2_jit_stack_free_8($0.stack)
            pcre2_code_free_8($0.code)
        }
    }

    func matches(_ text: String) throws -> Bool {
        var text = text
        return try text.withUTF8(matches)
    }

    /// True if the pattern matches somewhere in valid UTF-8.
    /// - Throws: `LibraryError.badExpression` when it takes too much time or memory; `CancellationError`.
    func matches(_ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
        let start = Monotonic.now
        let result = state.withLock { Self.match(text, $0) }
        try budget.charge(since: start, gaveUp: result == PCRE2_ERROR_MATCHLIMIT)
        return try Self.isMatch(result)
    }

    /// Hands `body` a function that says of one text after the other whether the pattern matches, for a fifth of what
    /// single calls cost: the lock is taken once, and quick texts are counted against the budget by the handful.
    /// - Throws: what `body` throws, whose function throws as `matches` does.
    func matchInTurn(_ body: (_ matches: (UnsafeBufferPointer<UInt8>) throws -> Bool) throws -> Void) throws {
        try state.withLock { state in
            var pace = MatchingPace(budget)
            try body { text in
                let result = Self.match(text, state)
                try pace.charge(gaveUp: result == PCRE2_ERROR_MATCHLIMIT)
                return try Self.isMatch(result)
            }
        }
    }

    private static func match(_ text: UnsafeBufferPointer<UInt8>, _ state: State) -> Int32 {
        // PCRE refuses a null pointer, which an empty text may have.
        withUnsafePointer(to: 0) { nothing in
            pcre2_match_8(
                state.code, text.baseAddress ?? nothing, text.count, 0, PCRE2_NO_UTF_CHECK, state.results, state.limits)
        }
    }

    private static func isMatch(_ result: Int32) throws -> Bool {
        switch result {
        case 0...: return true
        case PCRE2_ERROR_NOMATCH, PCRE2_ERROR_MATCHLIMIT: return false
        case PCRE2_ERROR_JIT_STACKLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_NOMEMORY:
            throw LibraryError(.badExpression, "The regular expression needs too much memory; make it simpler")
        default: throw LibraryError(.badExpression, "The regular expression failed: \(text(of: result))")
        }
    }

    private static func firstByte(of code: OpaquePointer, _ pattern: String, foldsCase: Bool) -> UInt8? {
        // A letter of either case has no such byte, and PCRE doesn't tell; `(?` may switch that on.
        guard !foldsCase, !pattern.contains("(?") else { return nil }
        var (kind, byte): (UInt32, UInt32) = (0, 0)
        guard pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_FIRSTCODETYPE), &kind) == 0, kind == 1,
            pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_FIRSTCODEUNIT), &byte) == 0
        else { return nil }
        return UInt8(exactly: byte)
    }

    private static func text(of problem: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(problem, &bytes, bytes.count)
        return count < 0 ? "error \(problem)" : String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }
}
