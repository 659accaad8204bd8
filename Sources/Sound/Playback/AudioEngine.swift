package import MusicModel

/// The track that an engine is asked to play.
package struct EngineTrack: Hashable, Sendable {
    /// The source of the bytes.
    package enum Source: Hashable, Sendable {
        /// A song of the index, opened through the `TrackProvider`.
        case song(SongID)
        /// A file of this machine outside of the index, by its absolute path.
        case file(path: String)
        /// A track of an audio CD.
        case disc(DiscAddress)
        /// A stream by URL; may hold credentials, so it is never logged.
        case stream(url: String)
    }

    /// Numbers this play; every event about it carries the number, so that stale ones can be told apart.
    package var play: UInt64
    /// The source of the bytes.
    package var source: Source
    /// The part that is played; nil is all of it. Positions and durations then count within the part.
    package var range: SongRange?
    /// The tags that a cue sheet has for it, which go before those of the song.
    package var sheetTags: [TagValue] = []
    /// How long it should last, where known before it is opened.
    package var duration: Duration?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// Loudness values that count where neither the library nor the file has some; nil where nothing was measured.
    package var measuredGain: ReplayGain?
    /// Loudness of the beginning and the end that counts where the file's tags have none.
    package var measuredRamps = MixRampTags()
    /// The beats at its ends; nil where they were not measured, or are not to be matched.
    package var measuredBeats: SongBeats?
    /// True if it is the next song on the album of the one before it, so that nothing may come between them.
    package var followsOnAlbum = false

    /// Makes a track.
    package init(
        play: UInt64, source: Source, range: SongRange? = nil, duration: Duration? = nil,
        replayGain: ReplayGain = ReplayGain()
    ) {
        (self.play, self.source, self.range, self.duration) = (play, source, range, duration)
        self.replayGain = replayGain
    }

    /// True if the sound is the same as another track's.
    package func soundsLike(_ other: EngineTrack) -> Bool { source == other.source && range == other.range }
}

/// Reports of an engine.
package enum AudioEngineEvent: Sendable {
    /// The first sample of the track is heard now, after `start` or by joining on to the track before it.
    case started(play: UInt64)
    /// The track's server converts it, as nothing here decodes it or the configuration wants that; before its `info`.
    case converted(play: UInt64)
    /// Facts that were learned about the track: its format, its true duration, its bit rate in kbit/s.
    case info(play: UInt64, format: AudioFormat?, duration: Duration?, bitRate: Int?)
    /// How far the track is and how much of it has been heard; about once a second while playing.
    case progress(play: UInt64, elapsed: Duration, heard: Duration)
    /// The last sample was heard and no next track was prepared: the engine is idle now.
    case finished(play: UInt64)
    /// The track can't be played, or broke off; if it was the current one the engine is idle now.
    case failed(play: UInt64, message: String)
    /// The seek to `target` has been carried out, or has failed and the track continues where it was. One that another
    /// followed in the meantime may have no answer of its own.
    case seeked(play: UInt64, target: Duration, elapsed: Duration)
    /// A stream named what it plays.
    case streamTags(play: UInt64, [TagValue])
    /// A stream has no sound for that reason and is tried again; nil when it sounds again.
    case interrupted(play: UInt64, message: String?)
    /// The track waits for bytes (true) or continues (false).
    case buffering(play: UInt64, Bool)
    /// Outputs were enabled, disabled, failed or recovered.
    case outputsChanged
}

/// Where the current track is, as the outputs have played it.
package struct EngineProgress: Hashable, Sendable {
    /// The play that is being heard.
    package var play: UInt64
    /// The position in the track.
    package var elapsed: Duration
    /// How much of the track has been heard, pauses and seeks taken out.
    package var heard: Duration

    /// Makes a reading.
    package init(play: UInt64, elapsed: Duration, heard: Duration) {
        (self.play, self.elapsed, self.heard) = (play, elapsed, heard)
    }
}

/// One output as `outputs` lists it.
package struct OutputStatus: Hashable, Sendable {
    /// Its number, from 0 in the order of the configuration.
    package var id: Int
    /// As the configuration or Snapcast has it.
    package var name: String
    /// Its type: `alsa`, `null`, ...
    package var plugin: String
    /// True if it should play.
    package var isEnabled: Bool
    /// True if only its slot is left here, because it plays for another engine.
    package var isMovedAway: Bool
    /// Plays what another output sends, as Snapcast's clients do: it can't move, and another part keeps its settings.
    package var isRemote: Bool
    /// The last error; nil while it works.
    package var problem: String?
    /// How many listen; nil for outputs that can't know.
    package var listeners: Int?
    /// How often it had nothing to play in the middle of sound since the start.
    package var underruns: Int
    /// How often a problem came since the start.
    package var failures: Int
    /// Run-time attributes.
    package var attributes: [String: String]
    /// Those of them that clients have set, which are kept over restarts.
    package var chosenAttributes: [String: String]

    /// Makes a status.
    package init(
        id: Int, name: String, plugin: String, isEnabled: Bool, isMovedAway: Bool = false, isRemote: Bool = false,
        problem: String? = nil, listeners: Int? = nil, underruns: Int = 0, failures: Int = 0,
        attributes: [String: String] = [:], chosenAttributes: [String: String] = [:]
    ) {
        (self.id, self.name, self.plugin, self.isEnabled) = (id, name, plugin, isEnabled)
        (self.isMovedAway, self.isRemote, self.problem) = (isMovedAway, isRemote, problem)
        (self.listeners, self.underruns, self.failures) = (listeners, underruns, failures)
        (self.attributes, self.chosenAttributes) = (attributes, chosenAttributes)
    }

    /// True if clients that list outputs are told the same of it as of another status. Underruns are no part of that:
    /// figures read them when they are asked for.
    func isShown(as other: OutputStatus) -> Bool {
        var other = other
        other.underruns = underruns
        return self == other
    }
}

/// An option that an engine follows, with its value.
package enum EngineOption: Hashable, Sendable {
    /// The software mixer, 0 to 100.
    case volume(Int)
    /// Seconds of overlap between songs; 0 joins them gapless.
    case crossfade(Int)
    /// The loudness at which songs overlap by their MixRamp tags, in decibels, and what is taken off the overlap, in
    /// seconds; nil or nothing above zero switches MixRamp off.
    case mixRamp(threshold: Double, delay: Double?)
    /// Whose ReplayGain values apply.
    case replayGain(EngineReplayGainMode)
    /// How many times as fast as they were recorded songs play, at the same pitch; stations continue as they are.
    case speed(Double)
}

/// Whose ReplayGain values an engine applies: a `ReplayGainMode` once the player has resolved `auto`.
package enum EngineReplayGainMode: Hashable, Sendable {
    case off
    /// The song's, or else the album's.
    case track
    /// The album's, or else the song's.
    case album
}

/// An engine that turns tracks into sound. `Player` drives it; GStreamer implements it, and a fake one in tests. No
/// call blocks and none throws: what goes wrong comes back as an event.
/// - Isolation: any thread; calls take effect in the order in which they are made.
package protocol AudioEngine: AnyObject, Sendable {
    /// The events, for one consumer.
    var events: AsyncStream<AudioEngineEvent> { get }
    /// Plays `track` from `position`, replacing at once whatever plays or is prepared.
    func start(_ track: EngineTrack, at position: Duration, paused: Bool)
    /// Sets what joins on to the current track; nil if nothing does. Replaces what was prepared before.
    func prepareNext(_ track: EngineTrack?)
    /// Keeps streams open, by URL and nearest first, so that they sound at once when they are started. Replaces what
    /// was kept before. Called within a second of a start, it may also keep the stream that played until then; after
    /// that the engine goes by the streams named before.
    func keepReady(streams: [String])
    /// Connects at once to streams that wait before they are tried again.
    func networkIsBack()
    func seek(to position: Duration)
    /// Pauses or continues.
    func setPaused(_ isPaused: Bool)
    func stop()
    func set(_ option: EngineOption)
    /// Sets the outputs' own mixers, 0 to 100.
    func setMixers(_ volume: Int)
    /// The volume that clients see, given that of the software mixer: the average of all outputs that have one.
    func volume(software: Int) -> Int
    /// The progress of the track that is heard now, or nil.
    var progress: EngineProgress? { get }
    /// The outputs, in the order of the configuration.
    var outputs: [OutputStatus] { get }
    /// Enables or disables an output; unknown numbers are ignored.
    func setOutput(_ id: Int, enabled: Bool)
    /// Finds out, away from the caller's thread, what can't be seen of a value at once: whether plug-ins that it names
    /// are installed. Attributes that need no such look are fine.
    /// - Throws: `OutputAttributeError.refused` for a value that could be set, but would not be heard.
    func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError)
    func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError)
    /// Hands an output over to another engine of the same kind; what both play continues. Its slot here stays as one
    /// that plays nothing; there it takes the slot that it left, or the last one. Unknown names are ignored.
    func moveOutput(named name: String, to other: any AudioEngine)
    /// Stops everything, finishes files and closes devices.
    func shutDown() async
}

/// Why a run-time attribute of an output can't be set.
package enum OutputAttributeError: Error, Hashable, Sendable {
    /// The output has no such attribute, or it can only be read.
    case unsupported
    case badValue
    /// The value is not one of the attribute's, for a reason that the user should know.
    case refused(String)
}

/// Opens songs for an engine.
package protocol TrackProvider: AnyObject, Sendable {
    /// Opens a song's bytes, which may still be arriving.
    /// - Throws: `TrackError` when the song can't be had.
    func open(_ song: SongID) async throws -> TrackFile
    /// Opens a song of which nothing here decodes the original: as its server converts it, from now on.
    /// - Throws: `TrackError` when nothing else than the original can be had.
    func openConverted(_ song: SongID) async throws -> TrackFile
    /// Names the songs that come next, nearest first, so that they can be fetched ahead.
    func prefetch(_ songs: [SongID])
    /// The tags of a song, for outputs that tell their listeners what plays; empty when nothing is.
    func tags(of song: SongID) async -> [TagValue]
    /// The path of a song, for the log; nil where that can't be found out.
    func path(of song: SongID) async -> String?
}

extension TrackProvider {
    /// Providers without a server have originals only.
    package func openConverted(_ song: SongID) async throws -> TrackFile { throw TrackError("no server converts it") }
    /// Providers without an index know nothing.
    package func tags(of song: SongID) async -> [TagValue] { [] }
    /// Providers without an index know no paths.
    package func path(of song: SongID) async -> String? { nil }
}

/// Why a song's bytes can't be had.
package struct TrackError: ChainedError {
    /// For a person; names the cause and the cure, never a URL.
    package var message: String
    /// Whether the bytes are there, and nothing here decodes them.
    package let isUndecodable: Bool
    package let origin: ErrorOrigin

    /// Makes an error.
    package init(
        _ message: String, isUndecodable: Bool = false, cause: (any Error)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        (self.message, self.isUndecodable) = (message, isUndecodable)
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }
}

/// Why a song can't be had now but perhaps later: its server is away, or the disk is nearly full.
package struct TrackAway: ChainedError {
    /// For a person.
    package let message: String
    package let origin: ErrorOrigin

    /// Takes the words, and the error beneath them.
    package init(_ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }
}

/// Looks into the playlists that stand where a stream was expected.
package protocol StreamResolving: Sendable {
    /// The streams that the playlist at a URL names, in order; nil where there is no playlist, or none that can be had.
    func streams(inPlaylist url: String) async -> [String]?
}
