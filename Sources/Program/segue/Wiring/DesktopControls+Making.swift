import Logging
import LibraryIndex
import MPDCommands
import Desktop
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import MediaLookup
import UserLibrary

extension DesktopControls {
    /// Shows the players at the desktop as the configuration says.
    convenience init(_ settings: MediaControlSettings, _ library: Library, _ media: SongMedia) {
        self.init(
            settings, PlayerWatch.Lookup(library), picture: { try? await media.pictures.albumArt(for: $0)?.bytes },
            log: Logger(label: "segue.desktop"))
    }
}

extension PlayerWatch.Lookup {
    /// Looks songs up in the library; what can't be read is left out, and clients that ask for it hear why.
    init(_ library: Library) {
        self.init(
            song: { try? await library.index.songs([$0], alsoGone: true).first ?? nil },
            rating: { song in
                (try? await library.sticker("rating", of: .song(song), isolation: nil)).flatMap { $0 }.flatMap {
                    Int($0)
                }
            },
            address: { song in
                switch try? await library.index.source(of: song)?.source {
                case .localFile(let path), .localPart(let path, _): try? await onThread { DiskPath(path).url }
                case .navidrome, .navidromePart, nil: nil
                }
            })
    }
}

extension InternalClient {
    /// Plays what an address names; the log tells why that can't be done, since the desktop is not told.
    func open(_ uri: String, in partition: Partition) async {
        do {
            try await play(uri, in: partition)
        } catch {
            let address = StreamURL.withoutCredentials(uri)
            Logger(label: "segue.desktop").warning("\(address) can't be opened: \(error.message)")
        }
    }
}
