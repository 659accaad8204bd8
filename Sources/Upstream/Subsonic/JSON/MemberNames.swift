import Coordination

/// Finds which member of an object is being read, by its name's bytes, without making a string of it.
///
/// Names are told apart by a 64-bit hash alone: the known ones are checked against each other here, and an unknown
/// one that collides would only be taken for a known one of a server that is trusted anyway.
struct MemberNames<Name: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    private let slots: [(hash: FNV1a, name: Name)?]

    /// Makes the table for all cases.
    init() {
        var size = 16
        while size < Name.allCases.count * 4 { size *= 2 }
        var slots = [(hash: FNV1a, name: Name)?](repeating: nil, count: size)
        for name in Name.allCases {
            var text = name.rawValue
            let hash = text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
            var slot = hash.slot(of: size)
            while let taken = slots[slot] {
                precondition(taken.hash != hash, "two members have the same hash")
                slot = (slot + 1) & (size - 1)
            }
            slots[slot] = (hash, name)
        }
        self.slots = slots
    }

    /// The case whose raw value is this name.
    subscript(name: UnsafeRawBufferPointer) -> Name? {
        let hash = Self.hash(name)
        var slot = hash.slot(of: slots.count)
        while let taken = slots[slot] {
            if taken.hash == hash { return taken.name }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> FNV1a {
        var hash = FNV1a()
        hash.combine(bytes)
        return hash
    }
}
