import Coordination
import LibraryIndex
import MusicModel
package import UserLibrary

extension PlayerWatch.Lookup {
    /// Looks songs up in the library; what can't be read is left out, and clients that ask for it get the reason.
    package init(_ library: Library) {
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
