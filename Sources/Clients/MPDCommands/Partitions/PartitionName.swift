import MPDProtocol

extension Arguments {
    /// Takes the name of a partition that may be made or deleted: ASCII letters, digits, `-` and `_`.
    ///
    /// - Parameter refusal: the sentence for all others.
    /// - Errors: ACK 2.
    /// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `IsValidPartitionName`.
    mutating func partitionName(orElse refusal: String = "bad name") throws(AckError) -> String {
        let name = try string()
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isValid, !name.isEmpty else { throw AckError(.argument, refusal) }
        return name
    }
}
