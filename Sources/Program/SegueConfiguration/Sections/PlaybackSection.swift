package import MusicModel
package import Playback

extension Configuration {
    /// The `[playback]` section.
    package struct Playback: Hashable, Sendable {
        /// The treatment at the start of the song that was playing.
        package var resume = ResumePolicy.pause
        /// Seconds of crossfade of a fresh installation; clients can change it.
        package var crossfade = 0
        /// True if a crossfade overlaps the songs of an album, too.
        package var crossfadesAlbums = false
        /// The fades where listeners interrupt music, and between songs.
        package var fades = FadeSettings()
        /// The ReplayGain mode of a fresh installation; clients can change it.
        package var replayGain = ReplayGainMode.off
        /// The levels of ReplayGain.
        package var gains = ReplayGainSettings()
        /// The format that outputs without one of their own get; nil, or a part that is unknown, keeps the
        /// song's.
        package var audioOutputFormat: AudioFormat?
        /// Crossfade when a radio station is switched.
        package var radioCrossfade = Duration.milliseconds(1800)
        /// How long a radio station may be silent before it counts as lost.
        package var radioTimeout = Duration.seconds(10)
        /// Songs that last as long or longer go on where they stopped; nil lets none of them.
        package var resumeLongSongs: Duration? = .seconds(15 * 60)
        /// True if music pauses while its streams have no listener.
        package var pausesWithoutListeners = false
        /// ALSA's names of capture devices that clients may play.
        package var lineInputs: [String] = []
        /// The drives whose audio CDs clients may play.
        package var discDevices: [String] = []
    }
}

extension ConfigurationReader {
    /// Reads how music starts, ends and goes over.
    func readPlayback(_ section: inout SectionReader) -> Configuration.Playback {
        var playback = Configuration.Playback()
        section.read("resume", .choice, into: &playback.resume, page: .afterRestart)
        section.read("resume_long_songs", .longSongs, into: &playback.resumeLongSongs, page: .afterRestart)
        section.read("crossfade", .integer(0...120, unit: "seconds"), into: &playback.crossfade)
        section.read("crossfade_albums", .flag, into: &playback.crossfadesAlbums, page: .afterRestart)
        section.read("crossfade_on_next", .seconds(0...30), into: &playback.fades.next, page: .afterRestart)
        section.read("beat_match", .flag, into: &playback.fades.matchesBeats, page: .afterRestart)
        section.read("fade_on_pause", .seconds(0...2), into: &playback.fades.pause, page: .afterRestart)
        section.read("fade_on_stop", .seconds(0...2), into: &playback.fades.stop, page: .afterRestart)
        section.read("replay_gain", .choice, into: &playback.replayGain)
        section.read("replay_gain_preamp", .decibels(-15...15), into: &playback.gains.preamp, page: .afterRestart)
        section.read(
            "replay_gain_missing_preamp", .decibels(-15...15), into: &playback.gains.missingPreamp,
            page: .afterRestart)
        section.read("replay_gain_limit", .flag, into: &playback.gains.limitsPeaks, page: .afterRestart)
        section.read("audio_output_format", .pcmFormat, into: &playback.audioOutputFormat)
        section.read("radio_crossfade", .seconds(0...30), into: &playback.radioCrossfade, page: .afterRestart)
        section.read("radio_timeout", .seconds(1...300), into: &playback.radioTimeout, page: .afterRestart)
        section.read("pause_without_listeners", .flag, into: &playback.pausesWithoutListeners, page: .afterRestart)
        section.read("line_inputs", .devices, into: &playback.lineInputs)
        section.read("cd_devices", .discDevices, into: &playback.discDevices)
        return playback
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
    /// Device files of drives; a single one may stand without brackets.
    fileprivate static var discDevices: ValueKind {
        .list("a list of drives such as \"/dev/cdrom\"", takesOne: true) { name throws(ValueComplaint) in
            guard name.isAbsolutePath, !name.endsWithSlash, !name.utf8.contains(where: { $0 < 0x20 }) else {
                throw ValueComplaint("\"\(name)\" is not a drive; write its device file such as \"/dev/cdrom\"")
            }
            return name
        }
    }

    /// Names of devices; a single one may stand without brackets.
    fileprivate static var devices: ValueKind {
        .list("a list of ALSA's names of devices such as \"hw:1,0\"", takesOne: true) { name throws(ValueComplaint) in
            guard !name.isEmpty, !name.contains("?"), !name.utf8.contains(where: { $0 <= 0x20 }) else {
                throw ValueComplaint("\"\(name)\" is not a device; `arecord -L` lists them")
            }
            return name
        }
    }
}
