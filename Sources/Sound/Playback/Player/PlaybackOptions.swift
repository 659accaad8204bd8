import MusicModel

/// The options of playback that clients can set.
struct PlaybackOptions: Hashable, Sendable {
    /// Starts again after the last song.
    var isRepeating = false
    /// Plays in random order.
    var isRandom = false
    /// Pauses after each song, or repeats it when repeating.
    var single = OneshotOption.off
    /// Removes what has been played.
    var consume = OneshotOption.off
    /// Volume of the software mixer, 0 to 100.
    var volume = 100
    /// Seconds of crossfade.
    var crossfade = 0
    /// MixRamp threshold in dB.
    var mixRampThreshold: Double = 0
    /// MixRamp delay in seconds; nil is off.
    var mixRampDelay: Double?
    /// How many times as fast as they were recorded songs play.
    var speed: Double = 1
    /// Whose ReplayGain values apply.
    var replayGainMode = ReplayGainMode.off
    /// The stored playlist that `load` brought last.
    var lastLoadedPlaylist = ""

    /// True if playback pauses between two songs.
    ///
    /// - Source: MPD v0.24.13 src/queue/Playlist.cxx, the border pause.
    var pausesBetweenSongs: Bool { single != .off && !isRepeating }

    /// The mode that the engine gets: `auto` follows the order, as albums are heard whole only without random.
    var engineReplayGainMode: EngineReplayGainMode {
        switch replayGainMode {
        case .off: .off
        case .track: .track
        case .album: .album
        case .auto: isRandom ? .track : .album
        }
    }

    /// Copies the options of a saved player, brought into their ranges.
    init(_ saved: SavedPlayer) {
        isRepeating = saved.isRepeating
        isRandom = saved.isRandom
        single = saved.single
        consume = saved.consume
        volume = min(max(saved.volume, 0), 100)
        crossfade = max(saved.crossfade, 0)
        mixRampThreshold = saved.mixRampThreshold
        mixRampDelay = saved.mixRampDelay
        speed = Player.speeds.contains(saved.speed) ? saved.speed : 1
        replayGainMode = saved.replayGainMode
        lastLoadedPlaylist = saved.lastLoadedPlaylist
    }

    /// The options of a fresh installation.
    init() {}

    /// Writes the options into what is saved.
    func save(to saved: inout SavedPlayer) {
        saved.isRepeating = isRepeating
        saved.isRandom = isRandom
        saved.single = single
        saved.consume = consume
        saved.volume = volume
        saved.crossfade = crossfade
        saved.mixRampThreshold = mixRampThreshold
        saved.mixRampDelay = mixRampDelay
        saved.speed = speed
        saved.replayGainMode = replayGainMode
        saved.lastLoadedPlaylist = lastLoadedPlaylist
    }
}
