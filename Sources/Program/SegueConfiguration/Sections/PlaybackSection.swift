package import MusicModel
package import Playback
package import Players

extension Configuration {
    /// The `[playback]` section: how music starts, ends and goes over.
    package struct Playback: Hashable, Sendable {
        /// The state in which players begin.
        package var beginning = PlayerBeginning()
        /// True if a crossfade overlaps the songs of an album, too.
        package var crossfadesAlbums = false
        /// The fades where listeners interrupt music, and between songs.
        package var fades = FadeSettings()
        /// The levels of ReplayGain.
        package var gains = ReplayGainSettings()
        /// The format that outputs without one of their own get; nil, or a part that is unknown, keeps the song's.
        package var audioOutputFormat: AudioFormat?
        /// How stations, line inputs and discs play.
        package var stations = StationSettings()
        /// Songs that last as long or longer go on where they stopped; nil lets none of them.
        package var resumeLongSongs: Duration? = .seconds(15 * 60)
        /// True if music pauses while its streams have no listener.
        package var pausesWithoutListeners = false

        init(reading section: inout SectionReader) {
            section.read("resume", .choice, into: &beginning.resume, page: .afterRestart)
            section.read("resume_long_songs", .longSongs, into: &resumeLongSongs, page: .afterRestart)
            section.read("crossfade", .integer(0...120, unit: "seconds"), into: &beginning.crossfade)
            section.read("crossfade_albums", .flag, into: &crossfadesAlbums, page: .afterRestart)
            section.read("crossfade_on_next", .seconds(0...30), into: &fades.next, page: .afterRestart)
            section.read("beat_match", .flag, into: &fades.matchesBeats, page: .afterRestart)
            section.read("fade_on_pause", .seconds(0...2), into: &fades.pause, page: .afterRestart)
            section.read("fade_on_stop", .seconds(0...2), into: &fades.stop, page: .afterRestart)
            section.read("replay_gain", .choice, into: &beginning.replayGain)
            section.read("replay_gain_preamp", .decibels(-15...15), into: &gains.preamp, page: .afterRestart)
            section.read(
                "replay_gain_missing_preamp", .decibels(-15...15), into: &gains.missingPreamp, page: .afterRestart)
            section.read("replay_gain_limit", .flag, into: &gains.limitsPeaks, page: .afterRestart)
            section.read("audio_output_format", .pcmFormat, into: &audioOutputFormat)
            section.read("radio_crossfade", .seconds(0...30), into: &stations.crossfade, page: .afterRestart)
            section.read("radio_timeout", .seconds(1...300), into: &stations.timeout, page: .afterRestart)
            section.read("pause_without_listeners", .flag, into: &pausesWithoutListeners, page: .afterRestart)
            section.read("line_inputs", .devices, into: &stations.lineInputs)
            section.read("cd_devices", .discDevices, into: &stations.discDevices)
        }
    }
}

extension ValueKind where Value == Duration? {
    /// How many minutes a long song has at the least; 0 is none.
    fileprivate static var longSongs: ValueKind {
        ValueKind<Int>.integer(0...1440, unit: "minutes").map { $0 == 0 ? nil : .seconds(60 * $0) }
            .shown(as: .integer(0...1440, unit: "minutes")) { .integer(Int(($0 ?? .zero) / .seconds(60))) }
    }
}

extension ValueKind where Value == [String] {
    fileprivate static var discDevices: ValueKind {
        .list("a list of drives such as \"/dev/cdrom\"", takesOne: true) { name throws(ValueComplaint) in
            guard name.isAbsolutePath, !name.endsWithSlash, !name.utf8.contains(where: { $0 < 0x20 }) else {
                throw ValueComplaint("\"\(name)\" is not a drive; write its device file such as \"/dev/cdrom\"")
            }
            return name
        }
    }

    fileprivate static var devices: ValueKind {
        .list("a list of ALSA's names of devices such as \"hw:1,0\"", takesOne: true) { name throws(ValueComplaint) in
            guard !name.isEmpty, !name.contains("?"), !name.utf8.contains(where: { $0 <= 0x20 }) else {
                throw ValueComplaint("\"\(name)\" is not a device; `arecord -L` lists them")
            }
            return name
        }
    }
}
