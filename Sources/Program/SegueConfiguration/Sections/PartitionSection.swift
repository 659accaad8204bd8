import MusicModel
import Players
import Playback

extension ConfigurationReader {
    private static let maxPartitions = 16

    func readPartitions(_ sections: [SectionReader], outputs: [String]) -> [PartitionPlan] {
        var names: Set<String> = []
        return sections.enumerated().compactMap { index, section -> PartitionPlan? in
            var section = section
            guard let name = section.required("name", .partitionName, example: "name = \"Kitchen\"") else { return nil }
            var partition = PartitionPlan(name: name)
            section.read("outputs", .names, into: &partition.outputs)
            section.read("capacity", .integer(1...1_000_000, unit: "songs"), into: &partition.capacity)
            partition.filling = readFilling(&section)
            // A small fixed number of songs is for playing by chance.
            if partition.capacity != nil { partition.fixed.isRandom = true }
            section.read("random", .flag, into: &partition.fixed.isRandom)
            section.read("repeat", .flag, into: &partition.fixed.isRepeating)
            section.read("single", .onOrOff, into: &partition.fixed.single)
            section.read("consume", .onOrOff, into: &partition.fixed.consume)
            section.read("pause_without_listeners", .flag, into: &partition.pausesWithoutListeners)
            section.finish()
            if !names.insert(name).inserted { section.complain("name", "\"\(name)\" is another partition's name too") }
            if index >= Self.maxPartitions { section.complain("name", "is one too many: there may be 16 partitions") }
            for output in partition.outputs where !outputs.contains(output) {
                section.complain("outputs", "there is no output named \"\(output)\"")
            }
            return partition
        }
    }

    /// Reads the songs that a queue is filled up with; nil leaves that to clients.
    private func readFilling(_ section: inout SectionReader) -> PartitionPlan.Filling? {
        var kind = AutofillKind.off
        section.read("autofill", .choice, into: &kind)
        let source = section.value("autofill_from", .text("an artist's or a playlist's name"))
        switch kind {
        case .off: return nil
        case .library: return .library
        case .artist: return .artist(source)
        case .playlist:
            if source == nil { section.complain("autofill_from", "must name the playlist") }
            return source.map { .playlist($0) }
        }
    }
}

private enum AutofillKind: String, CaseIterable { case off, library, artist, playlist }

extension ValueKind where Value == OneshotOption {
    fileprivate static var onOrOff: ValueKind { ValueKind<Bool>.flag.map { $0 ? .on : .off } }
}

extension ValueKind where Value == String {
    fileprivate static var partitionName: ValueKind {
        ValueKind(expected: "letters, digits, - and _") { node in
            node.plainText.flatMap { $0.wholeMatch(of: #/[A-Za-z0-9_\-]{1,64}/#) == nil ? nil : $0 }
        }
    }
}

extension ValueKind where Value == [String] {
    fileprivate static var names: ValueKind { .list("a list of outputs' names", takesOne: true) { $0 } }
}
