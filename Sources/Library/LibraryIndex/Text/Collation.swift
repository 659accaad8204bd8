import _FoundationICU

/// The order in which people expect names: ICU's root collation, as MPD sorts directories and songs.
/// - Source: MPD v0.24.13 src/lib/icu/Collate.cxx.
package enum Collation {
    // ICU's collators may be used from several threads while their attributes stay; they do.
    nonisolated(unsafe) private static let collator: OpaquePointer? = {
        var status = U_ZERO_ERROR
        return swift_ucol_open("", &status)
    }()

    /// Negative when `lhs` comes first, 0 when the collation sees no difference.
    static func compare(_ lhs: String, _ rhs: String) -> Int {
        if ExactText.equal(lhs, rhs) { return 0 }
        guard let collator else { return ExactText.compare(lhs, rhs) }
        var lhs = lhs
        var rhs = rhs
        return lhs.withUTF8 { left in
            rhs.withUTF8 { right in
                var status = U_ZERO_ERROR
                let result = left.withMemoryRebound(to: CChar.self) { left in
                    right.withMemoryRebound(to: CChar.self) { right in
                        swift_ucol_strcollUTF8(
                            collator, left.baseAddress, Int32(left.count), right.baseAddress, Int32(right.count),
                            &status)
                    }
                }
                return Int(result.rawValue)
            }
        }
    }

    /// True if `lhs` comes before `rhs`; texts that the collation holds for equal are ordered by bytes.
    package static func precedes(_ lhs: String, _ rhs: String) -> Bool {
        let order = compare(lhs, rhs)
        return order == 0 ? ExactText.compare(lhs, rhs) < 0 : order < 0
    }
}
