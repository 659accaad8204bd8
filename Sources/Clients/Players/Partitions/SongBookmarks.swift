import Coordination
import Foundation
package import Logging
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Resumes long songs and episodes where they stopped, at their speed, in every partition. A place is kept when music
/// pauses, stops or is skipped and every minute while it plays, once the song's first minute is over; it is forgotten
/// when the song was heard to its end. Those of songs go on to the server from the database.
@ServerActor
package final class SongBookmarks: PlaceKeeping, PlayerObserver {
    /// Before this, a song has hardly begun.
    private static let earliest = Duration.seconds(60)
    /// How far a song plays before its place is kept again.
    private static let step = Duration.seconds(60)
    /// So close to its end, a song has been heard.
    private static let tail = Duration.seconds(30)

    private let library: Library
    private let minDuration: Duration
    private let log: Logger
    private var places: [PlaceKey: KeptPlace] = [:]
    private var players: [Player] = []
    private let writing = SerialTasks()

    /// Makes it with what the database has.
    package init(library: Library, minDuration: Duration, log: Logger) throws {
        self.library = library
        self.minDuration = minDuration
        self.log = log
        places = try library.savedPlaces()
    }

    package func opened(_ partition: Partition) {
        let player = partition.player
        players.append(player)
        player.placeKeeper = self
        player.resumePoints = ResumePoints(places, minDuration: minDuration)
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {}
    package func closed(_ partition: Partition) { players.removeAll { $0 === partition.player } }

    package func song(_ song: PlaceKey, isAt place: KeptPlace, of length: Duration?, _ moment: PlaceMoment) {
        guard let length, length >= minDuration else { return }
        if moment == .ended || place.place >= length - Self.tail { return set(nil, for: song) }
        guard place.place >= Self.earliest else { return }
        if moment == .playing, let known = places[song]?.place {
            let distance = place.place > known ? place.place - known : known - place.place
            if distance < Self.step { return }
        }
        set(place, for: song)
    }

    /// Takes over what the database has, after the server's bookmarks came in; what is still being written goes first.
    package func reload() async {
        var stored: [PlaceKey: KeptPlace]
        var known: [PlaceKey: KeptPlace]
        repeat {
            await writing.finish()
            known = places
            do { stored = try await library.places() } catch {
                return log.error("The bookmarks could not be read: \(chain: error)")
            }
        } while places != known
        guard stored != places else { return }
        places = stored
        publish()
        for player in players { player.resumePointsChanged() }
    }

    /// Keeps the places of what is being played, and waits until everything is written.
    package func finish() async {
        for player in players { player.tellPlace() }
        await writing.finish()
    }

    private func set(_ place: KeptPlace?, for song: PlaceKey) {
        guard places[song] != place else { return }
        places[song] = place
        publish()
        let time = Int64((Date().timeIntervalSince1970 * 1000).rounded())
        writing.add { [library, log] in
            do {
                switch song {
                case .song(let id): try await library.setBookmark(id, place?.place, speed: place?.speed, at: time)
                case .stream(let url): try await library.setPlace(inStream: url, place, at: time)
                }
            } catch {
                log.error("A bookmark could not be saved: \(chain: error)")
            }
        }
    }

    private func publish() {
        let points = ResumePoints(places, minDuration: minDuration)
        for player in players { player.resumePoints = points }
    }
}
