extension Configuration {
    /// A `[[partition]]` section: a partition that is there from the start on.
    package struct Partition: Hashable, Sendable {
        /// The songs that its queue is filled up with.
        package enum Filling: String, CaseIterable, Hashable, Sendable {
            case off, library, artist, playlist
        }

        /// The name that clients see.
        package var name: String
        /// The names of the outputs that play for it from the start on.
        package var outputs: [String] = []
        /// How many songs its queue may have; nil is the server's limit.
        package var capacity: Int?
        /// The songs that its queue is filled up with.
        package var filling = Filling.off
        /// The artist or the playlist that songs come from; nil takes the artists of the songs in the queue.
        package var fillingSource: String?
        /// Whether songs come in random order; nil leaves it to clients.
        package var random: Bool?
        /// Whether the queue begins again after its last song; nil leaves it to clients.
        package var isRepeating: Bool?
        /// Whether playback pauses after each song; nil leaves it to clients.
        package var single: Bool?
        /// Whether what was played is removed; nil leaves it to clients.
        package var consume: Bool?
        /// Whether music pauses while its streams have no listener; nil is as `[playback]` says.
        package var pausesWithoutListeners: Bool?
    }
}

extension ConfigurationReader {
    /// How many partitions there may be.
    private static let mostPartitions = 16

    /// Reads the partitions, each of which has a name of its own.
    func readPartitions(_ sections: [SectionReader], outputs: [String]) -> [Configuration.Partition] {
        var names: Set<String> = []
        return sections.enumerated().compactMap { place, section in
            var section = section
            guard let name = section.required("name", .partitionName, example: "name = \"Kitchen\"") else { return nil }
            var partition = Configuration.Partition(name: name)
            section.read("outputs", .names, into: &partition.outputs)
            section.read("capacity", .integer(1...1_000_000, unit: "songs"), into: &partition.capacity)
            section.read("autofill", .choice, into: &partition.filling)
            section.read("autofill_from", .text("an artist's or a playlist's name"), into: &partition.fillingSource)
            // A small fixed number of songs is for playing by chance.
            if partition.capacity != nil { partition.random = true }
            section.read("random", .flag, into: &partition.random)
            section.read("repeat", .flag, into: &partition.isRepeating)
            section.read("single", .flag, into: &partition.single)
            section.read("consume", .flag, into: &partition.consume)
            section.read("pause_without_listeners", .flag, into: &partition.pausesWithoutListeners)
            section.finish()
            if !names.insert(name).inserted { section.complain("name", "\"\(name)\" is another partition's name too") }
            if place >= Self.mostPartitions { section.complain("name", "is one too many: there may be 16 partitions") }
            for output in partition.outputs where !outputs.contains(output) {
                section.complain("outputs", "there is no output named \"\(output)\"")
            }
            if partition.filling == .playlist, partition.fillingSource == nil {
                section.complain("autofill_from", "must name the playlist")
            }
            return partition
        }
    }
}

extension ValueKind where Value == String {
    /// The name of a partition, as `newpartition` takes it.
    fileprivate static var partitionName: ValueKind {
        ValueKind(expected: "letters, digits, - and _") { node in
            guard let text = node.plainText, !text.isEmpty, text.utf8.count <= 64,
                text.unicodeScalars.allSatisfy({
                    $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
                })
            else { return nil }
            return text
        }
    }
}

extension ValueKind where Value == [String] {
    /// A list of names; a single one may stand without brackets.
    fileprivate static var names: ValueKind {
        ValueKind(expected: "a list of outputs' names") { node in
            node.textList ?? node.plainText.map { [$0] }
        }
    }
}
