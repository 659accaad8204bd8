package import LibraryIndex

/// The mounts of a library: those of the configuration, and the folders that clients mounted.
package struct MountTable: Hashable, Sendable {
    /// A part of the library under a name.
    package struct Mount: Hashable, Sendable {
        /// The name, by which its songs' paths begin.
        package var name: String
        /// The folder, the address of a network storage without its login, or the word for a server.
        package var storage: String
        /// The network storage; nil for all others.
        package var network: NetworkStorage?

        /// Names a part of the library.
        package init(name: String, storage: String) { (self.name, self.storage) = (name, storage) }

        /// Names a part of the library that is a network storage.
        package init(name: String, network: NetworkStorage) {
            (self.name, self.network) = (name, network)
            storage = network.shown
        }

        /// The text by which it is kept.
        package var uri: String { network?.uri ?? storage }
        /// Where its files are.
        package var folder: String { network?.folder ?? storage }
    }

    private let configured: [Mount]
    /// The folders to mount in addition to the configuration's sources.
    package let folders: [Mount]
    /// Those of them that nothing has saved.
    package let new: [Mount]
    /// The names of saved folders that are left out, because the configuration has something of that name.
    package let leftOut: [String]

    /// Decides which of the folders are mounted: the names of the configuration's sources come first, one without a
    /// name being no mount; then the saved ones that clients mounted; then those added, unless their names are taken.
    package init(configured: [Mount], saved: [Mount], added: [Mount] = []) {
        self.configured = configured.filter { !$0.name.isEmpty }
        let names = Set(self.configured.map(\.name))
        leftOut = saved.map(\.name).filter(names.contains)
        let known = names.union(saved.map(\.name))
        new = added.filter { !known.contains($0.name) }
        folders = saved.filter { !names.contains($0.name) } + new
    }

    /// All mounts, as clients see them.
    package var shown: [Mount] { configured + folders }
}
