import MusicModel

extension ConfigurationReader {
    /// Reads `[cache]`.
    func readCache(_ section: inout SectionReader) -> Configuration.Cache {
        let coverSize = section.value("cover_size", .integer(0...4000, unit: "pixels")) ?? 600
        return Configuration.Cache(
            size: section.value("size", .byteSize(from: "64 MiB", to: "64 TiB")) ?? 2 << 30,
            prefetch: section.value("prefetch", .integer(0...20, unit: "songs")) ?? 3,
            coverSize: coverSize == 0 ? nil : coverSize,
            coverSpace: section.value("cover_space", .byteSize(from: "16 MiB", to: "64 TiB")) ?? 256 << 20,
            keepFree: section.value("keep_free", .byteSize(from: "16 MB", to: "64 TiB")) ?? 512_000_000)
    }

    /// Reads `[playback]`.
    func readPlayback(_ section: inout SectionReader) -> Configuration.Playback {
        let longSong = section.value("resume_long_songs", .integer(0...1440, unit: "minutes")) ?? 15
        return Configuration.Playback(
            resume: section.value("resume", .choice) ?? .pause,
            crossfade: section.value("crossfade", .integer(0...120, unit: "seconds")) ?? 0,
            replayGain: section.value("replay_gain", .choice) ?? .off,
            replayGainPreamp: section.value("replay_gain_preamp", .decibels(-15...15)) ?? 0,
            replayGainMissingPreamp: section.value("replay_gain_missing_preamp", .decibels(-15...15)) ?? 0,
            replayGainLimit: section.value("replay_gain_limit", .flag) ?? true,
            audioOutputFormat: section.value("audio_output_format", .pcmFormat),
            radioCrossfade: section.value("radio_crossfade", .seconds(0...30)) ?? .milliseconds(1800),
            radioTimeout: section.value("radio_timeout", .seconds(1...300)) ?? .seconds(10),
            resumeLongSongs: longSong == 0 ? nil : .seconds(60 * longSong),
            pausesWithoutListeners: section.value("pause_without_listeners", .flag) ?? false)
    }

    /// Reads the `[[station]]` sections.
    func readStations(_ sections: [SectionReader]) -> [Configuration.Station] {
        var names: Set<String> = []
        return sections.compactMap { section in
            var section = section
            let name = section.required("name", .text("a station's name"), example: "name = \"Radio Nova\"")
            let url = section.required("url", .streamURL, example: "url = \"https://...\"")
            section.finish()
            guard let name, let url else { return nil }
            if !names.insert(name).inserted {
                section.complain("name", "\"\(name)\" is the name of another station too")
            }
            return Configuration.Station(name: name, url: url)
        }
    }
}

extension ValueKind where Value == Int64 {
    /// A size such as `2 GiB` between two others.
    static func byteSize(from least: String, to most: String) -> ValueKind {
        ValueKind(expected: "a size from \"\(least)\" to \"\(most)\" such as \"2 GiB\"") { node in
            guard let text = node.plainText, let size = ByteSize.parse(text), let low = ByteSize.parse(least),
                let high = ByteSize.parse(most), (low...high).contains(size)
            else { return nil }
            return size
        }
    }
}

extension ValueKind where Value == String {
    /// The address of a stream, without credentials.
    fileprivate static var streamURL: ValueKind {
        ValueKind(expected: "an address such as \"https://...\"", isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(text, allowsQuery: true)
        }
    }
}

/// Sizes as people write them.
enum ByteSize {
    private static let units: [String: Int64] = [
        "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// Reads a number, which may have a decimal part, and a unit; nil when it is none.
    static func parse(_ text: String) -> Int64? {
        let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let factor = units[unit.lowercased()], let value = Double(number), value.isFinite else { return nil }
        return Int64(exactly: (value * Double(factor)).rounded())
    }
}
