import MusicModel
package import Playback

/// A command of a desktop, a headset or a home's automation.
package enum MediaCommand: Hashable, Sendable {
    case next
    case previous
    case play
    case pause
    case playPause
    case stop
    case seek(by: Duration)
    /// Goes to a place in the song that is this entry of the queue; nothing when it no longer is.
    case setPosition(entry: UInt32, Duration)
    case setRandom(Bool)
    /// Repeats nothing, the queue, or the song.
    case setLoop(isRepeating: Bool, isSingle: Bool)
    /// 0 to 100.
    case setVolume(Int)
    /// How many times as fast as they were recorded songs play.
    case setSpeed(Double)
    /// Plays what an address names, behind the current song.
    case open(uri: String)
}

extension Player {
    /// Carries a wish out; nothing happens where it can't be done now, as MPRIS wants it.
    package func run(_ command: MediaCommand) {
        switch command {
        case .next: try? next()
        case .previous: try? previous()
        case .play: playOn()
        case .pause: if isPlaying { pause(true) }
        case .playPause: isPlaying ? pause(true) : playOn()
        case .stop: stop()
        case .seek(let offset): try? seekCurrent(to: offset, isRelative: true)
        case .setPosition(let entry, let time):
            guard let current = current?.entry, current.id.rawValue == entry else { return }
            try? seek(id: current.id, to: time)
        case .setRandom(let isRandom): setRandom(isRandom)
        case .setLoop(let isRepeating, let isSingle):
            setRepeat(isRepeating)
            setSingle(isSingle ? .on : .off)
        case .setVolume(let volume): setVolume(volume)
        case .setSpeed(let speed): setSpeed(speed)
        // Takes more than the player; `DesktopControls` has it done.
        case .open: break
        }
    }

    private func playOn() {
        guard status.state != .pause else { return pause(false) }
        if !isPlaying { try? play(position: nil) }
    }
}
