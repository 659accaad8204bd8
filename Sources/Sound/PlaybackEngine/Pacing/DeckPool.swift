import AudioFiles
import Coordination
import MusicModel
import Playback

/// Numbers decks, has their songs' bytes fetched, and sees to it that those that were closed go.
struct DeckPool {
    private let commands: Mailbox<EngineCommand>
    private let provider: any TrackProvider
    private let memoryBudget: MemoryBudget
    private var lastID = 0
    private var closing: [Deck] = []

    init(_ commands: Mailbox<EngineCommand>, _ provider: any TrackProvider, _ memoryBudget: MemoryBudget = .unlimited) {
        (self.commands, self.provider, self.memoryBudget) = (commands, provider, memoryBudget)
    }

    var isClosing: Bool { !closing.isEmpty }

    mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    /// Asks for a song's bytes, which come as `.opened`, as the server converts it where the original is undecodable
    /// here; and for what is known of it, which comes as `.tagged`.
    func fetch(_ song: SongID, for deck: Int, undecodable: String? = nil) {
        let (commands, provider) = (commands, provider)
        Task.detached { commands.post(.tagged(.song(song), await provider.tags(of: song))) }
        Task.detached {
            do {
                let file = try await undecodable == nil ? provider.open(song) : provider.openConverted(song)
                commands.post(.opened(deck: deck, .success(file)))
            } catch let error as TrackError where undecodable != nil {
                commands.post(.opened(deck: deck, .failure(TrackError(undecodable ?? "", cause: error))))
            } catch let error as TrackError {
                commands.post(.opened(deck: deck, .failure(error)))
            } catch {
                commands.post(.opened(deck: deck, .failure(TrackError("the song can't be opened", cause: error))))
            }
        }
    }

    /// True if only decks are to be opened whose sound is played.
    var isMemoryTight: Bool { memoryBudget.isTight }

    /// Opens a file outside of the index, as `fetch` does with a song.
    func fetch(file path: String, for deck: Int) {
        let commands = commands
        Task.detached {
            // A file system that hangs holds a thread up, and not the tasks of others.
            let tags = try? await onThread(reading: path) { try AudioFileReader.read(path: path).tags }
            commands.post(.tagged(.file(path: path), tags ?? []))
        }
        Task.detached {
            let result: Result<TrackFile, TrackError>
            do { result = .success(try await onThread(reading: path) { try TrackFile(regularFile: path) }) } catch {
                result = .failure(TrackError("the file isn't there any more, or can't be read", cause: error))
            }
            commands.post(.opened(deck: deck, result))
        }
    }

    func open(_ origin: Deck.Origin, id: Int, start: Nanoseconds, maxChannels: Int = 2) -> Deck {
        let commands = commands
        return Deck(origin, start: start, maxChannels: maxChannels, memoryBudget: memoryBudget) {
            commands.post(.deck(id, $0))
        }
    }

    mutating func close(_ deck: Deck?) {
        guard let deck else { return }
        deck.close()
        closing.append(deck)
    }

    mutating func sweep() { if !closing.isEmpty { closing.removeAll { $0.waitUntilGone(milliseconds: 0) } } }

    func waitUntilGone(until end: Nanoseconds) {
        for deck in closing { _ = deck.waitUntilGone(milliseconds: max(0, (end - Monotonic.now).milliseconds)) }
    }
}
