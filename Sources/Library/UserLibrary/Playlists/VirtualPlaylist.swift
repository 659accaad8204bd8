import GRDB
import LibraryIndex
package import MusicModel

/// A stored playlist that is never saved: it is made of what the index, or its maker, knows whenever a client reads it.
/// Clients list, read, search and load it as any other; nothing can edit it, and nothing else can take its name while
/// it is switched on.
package struct VirtualPlaylist: Sendable {
    /// The name that clients use.
    package let name: String
    /// When it changed last, in Unix seconds; nil while it is empty, and then clients don't see it. It is asked for
    /// with every list of the playlists, so it reads a row or two.
    let changed: @Sendable (Database) throws -> Int64?
    /// When it changed, for one whose maker keeps its entries; nil for one that is made of what the index has.
    let made: (@Sendable () -> Int64?)?
    let list: @Sendable (Database) throws -> [QueueItem]

    init(
        _ name: String, changed: @escaping @Sendable (Database) throws -> Int64?, made: (@Sendable () -> Int64?)? = nil,
        list: @escaping @Sendable (Database) throws -> [QueueItem]
    ) { (self.name, self.changed, self.made, self.list) = (name, changed, made, list) }

    /// Makes a playlist whose maker keeps its entries. Both closures are called on threads that read the index, and
    /// must neither wait nor use the index themselves.
    /// - Parameters:
    ///   - name: the name that clients use; by custom in square brackets.
    ///   - modified: when it changed last, in Unix seconds; nil while it is empty, and then clients don't see it.
    ///   - items: the entries in order; songs that are gone are left out automatically.
    package init(
        _ name: String, modified: @escaping @Sendable () -> Int64?, items: @escaping @Sendable () -> [QueueItem]
    ) { self.init(name, changed: { _ in modified() }, made: modified, list: { _ in items() }) }

    var isReadOnly: LibraryError {
        LibraryError(.playlistReadOnly, "\(name) is made by Segue itself and can't be edited")
    }
}
