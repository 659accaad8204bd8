import Foundation
import IndexSync
import LibraryIndex
import Logging
import MusicModel
import Playback
import ServerLoop
import UserLibrary
import UserSync

/// Lets long songs go on where they stopped, in every partition, and keeps the places in the database, from where
/// they go to the server.
///
/// A place is kept when music pauses, stops or is skipped and every minute while it plays, once the song's first minute
/// is over; it is forgotten when the song was heard to its end.
/// - Isolation: ServerActor.
@ServerActor
final class SongBookmarks: PlaceKeeping {
    /// Before this, a song has hardly begun.
    private static let earliest = Duration.seconds(60)
    /// How far a song plays before its place is kept again.
    private static let step = Duration.seconds(60)
    /// So close to its end, a song has been heard.
    private static let tail = Duration.seconds(30)

    private let library: Library
    private let shortestSong: Duration
    private let log: Logger
    private let now: @Sendable () -> Int64
    private var places: [SongID: Duration] = [:]
    private var players: [Player] = []
    /// The last of the changes that are being written, one after the other.
    private var writing: Task<Void, Never>?

    /// Makes it with what the database has.
    ///
    /// - Parameter shortestSong: shorter songs have no places.
    /// - Throws: `LibraryError` when the database can't be read.
    init(library: Library, shortestSong: Duration, log: Logger) throws {
        self.library = library
        self.shortestSong = shortestSong
        self.log = log
        now = { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }
        places = try library.savedBookmarks()
    }

    /// Looks after a player from now on.
    func adopt(_ player: Player) {
        players.append(player)
        player.placeKeeper = self
        player.resumePoints = ResumePoints(places, shortestSong: shortestSong)
    }

    /// Looks no more after a player whose partition is closed.
    func abandon(_ player: Player) { players.removeAll { $0 === player } }

    func song(_ song: SongID, isAt place: Duration, of length: Duration?, _ moment: PlaceMoment) {
        guard let length, length >= shortestSong else { return }
        if moment == .ended || place >= length - Self.tail { return set(nil, for: song) }
        guard place >= Self.earliest else { return }
        if moment == .playing, let known = places[song] {
            let distance = place > known ? place - known : known - place
            if distance < Self.step { return }
        }
        set(place, for: song)
    }

    /// Takes over what the database has, after the server's bookmarks came in; what is still being written goes first.
    func reload() async {
        var stored: [SongID: Duration]
        var known: [SongID: Duration]
        repeat {
            await writing?.value
            known = places
            do { stored = try await library.bookmarks() } catch {
                return log.error("The bookmarks could not be read: \(error)")
            }
        } while places != known
        guard stored != places else { return }
        places = stored
        publish()
        for player in players { player.resumePointsChanged() }
    }

    /// Keeps the places of what is being played, and waits until everything is written.
    func finish() async {
        for player in players { player.tellPlace() }
        await writing?.value
    }

    private func set(_ place: Duration?, for song: SongID) {
        guard places[song] != place else { return }
        places[song] = place
        publish()
        let time = now()
        let before = writing
        writing = Task { [library, log] in
            await before?.value
            do { try await library.setBookmark(song, place, at: time) } catch {
                log.error("A bookmark could not be saved: \(error)")
            }
        }
    }

    private func publish() {
        let points = ResumePoints(places, shortestSong: shortestSong)
        for player in players { player.resumePoints = points }
    }
}
