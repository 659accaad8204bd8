import Synchronization
import _FoundationICU

/// A compiled regular expression of `=~`, applied to UTF-8.
///
/// MPD uses PCRE; ICU's syntax is the same in all that people write in filters. A pattern that would backtrack for
/// seconds gives up and does not match.
final class RegularExpression: Sendable {
    // The pointer is used only inside the lock, and closed once, when nobody holds the object any more.
    private struct State: @unchecked Sendable {
        var handle: OpaquePointer
        var units: [UInt16] = []
    }

    private let state: Mutex<State>
    /// ICU's unit of work; about a tenth of a second of backtracking on one value.
    private static let timeLimit: Int32 = 100

    /// Compiles a pattern.
    ///
    /// - Throws: `LibraryError.badExpression` that names the offset of the mistake.
    init(_ pattern: String, foldsCase: Bool) throws {
        // ICU refuses the empty pattern, which matches everything.
        let units = Array((pattern.isEmpty ? "(?:)" : pattern).utf16)
        var status = U_ZERO_ERROR
        var place = UParseError()
        let flags = foldsCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0
        guard
            let handle = swift_uregex_open(units, Int32(units.count), flags, &place, &status),
            status.rawValue <= U_ZERO_ERROR.rawValue
        else { throw LibraryError(.badExpression, "Error in regex at offset \(place.offset)") }
        swift_uregex_setTimeLimit(handle, Self.timeLimit, &status)
        state = Mutex(State(handle: handle))
    }

    deinit { state.withLock { swift_uregex_close($0.handle) } }

    /// Whether the pattern matches somewhere in the text.
    func matches(_ text: String) -> Bool {
        state.withLock { state in
            state.units.removeAll(keepingCapacity: true)
            state.units.append(contentsOf: text.utf16)
            var status = U_ZERO_ERROR
            return state.units.withUnsafeBufferPointer { units in
                // ICU refuses a null pointer, which an empty array may have.
                var nothing: UInt16 = 0
                return withUnsafePointer(to: &nothing) { empty in
                    swift_uregex_setText(state.handle, units.baseAddress ?? empty, Int32(units.count), &status)
                    let found = swift_uregex_find(state.handle, 0, &status)
                    return status.rawValue <= U_ZERO_ERROR.rawValue && found != 0
                }
            }
        }
    }
}
