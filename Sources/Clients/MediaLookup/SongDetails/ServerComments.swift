import Coordination
import LibraryIndex
import MPDCommands
package import MusicModel
package import Subsonic
package import UserLibrary

/// Asks a Navidrome for what it read in songs' files and its Subsonic API leaves out.
package struct ServerComments: CommentsProviding {
    private let library: Library
    private let session: NavidromeSession

    /// How long a client waits for it, who has the tags in any case.
    private static let maxWait = Duration.seconds(2)

    /// Asks with a session of the listener's.
    package init(library: Library, session: NavidromeSession) { (self.library, self.session) = (library, session) }

    @concurrent
    package func comments(of song: SongID) async -> [(name: String, value: String)] {
        guard session.canSignIn, case .navidrome(let id)? = try? await library.index.source(of: song)?.source
        else { return [] }
        // The tags are there without them.
        let found = await withTimeLimit(Self.maxWait) { (try? await session.comments(ofSong: id)) ?? [] }
        return (found ?? []).map { ($0.name, $0.value) }
    }
}
