import MusicModel

extension PlaybackOptions {
    /// True if playback pauses between two songs.
    /// - Source: MPD v0.24.13 src/queue/Playlist.cxx, the border pause.
    var pausesBetweenSongs: Bool { single != .off && !isRepeating }

    /// The mode that the engine gets: `auto` follows the order, as albums are heard whole only without random.
    private var engineReplayGainMode: EngineReplayGainMode {
        switch replayGainMode {
        case .off: .off
        case .track: .track
        case .album: .album
        case .auto: isRandom ? .track : .album
        }
    }

    var ofEngine: [EngineOption] {
        [
            .volume(volume), .crossfade(crossfade), .mixRamp(threshold: mixRampThreshold, delay: mixRampDelay),
            .replayGain(engineReplayGainMode), .speed(speed),
        ]
    }

    var inRange: PlaybackOptions {
        var options = self
        options.volume = volume.clamped(to: 0...100)
        options.crossfade = max(crossfade, 0)
        if !Player.speeds.contains(speed) { options.speed = 1 }
        return options
    }
}
