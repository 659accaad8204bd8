/// A folder on another machine, as a client names it.
package struct NetworkStorage: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The address as it is kept: a secret, because a password may be in it.
    package let uri: String
    /// The address without its login, for answers and the log.
    package let shown: String
    /// Where its files are while it is mounted: always the same path of this machine.
    package let folder: String

    /// Names a storage.
    package init(uri: String, shown: String, folder: String) {
        (self.uri, self.shown, self.folder) = (uri, shown, folder)
    }

    /// The address without its login.
    package var description: String { shown }
    /// Nothing but that, so that `dump` shows no password.
    package var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
}

/// Has the system mount network storages for `mount`, and give them back; the sync reads what is in them.
package protocol StorageMounting: Sendable {
    /// The storage that an address names; nil for all that is none. Asks neither the network nor a disk.
    func storage(at uri: String) -> NetworkStorage?
    /// Mounts a storage for the mount `name`, so that its files are in its folder, and keeps it mounted.
    /// - Throws: `StorageFailure`; nothing is kept then. It takes at most as long as a client waits.
    func attach(_ storage: NetworkStorage, at name: String) async throws
    /// Gives the storage of a mount back; that its volume is unmounted isn't waited for.
    func detach(_ name: String) async
}

/// Why a network storage can't be mounted.
package enum StorageFailure: Error, Hashable, Sendable {
    case nameTaken
    case mountedAlready
    /// The process belongs to no session with a message bus; a sentence of the system.
    case noSession(String)
    /// Nothing on this machine speaks the protocol of this scheme.
    case noBackend(scheme: String)
    case noFolder
    case needsLogin
    case refusedLogin
    case unknownHost
    /// Nothing answers at the address; a sentence of the system.
    case unreachable(String)
    case notFound
    /// The server or its certificate is not known; the question that the system asks about it.
    case untrusted(String)
    case timedOut(seconds: Int)
    case cancelled
    /// Anything else; a sentence of the system.
    case other(String)
}

extension StorageFailure: CustomStringConvertible {
    /// The cause and the cure, without the address.
    package var description: String {
        switch self {
        case .nameTaken: "Mount point busy"
        case .mountedAlready: "This storage is already mounted"
        case .noSession(let reason):
            "Network storages need a session with D-Bus (\(reason)): run Segue as a user's service with gvfs-backends "
                + "and gvfs-fuse installed, or mount the storage in the system and then its folder here"
        case .noBackend(let scheme):
            "Nothing here can mount \(scheme):// storages: install gvfs-backends and gvfs-fuse, or mount the storage in "
                + "the system and then its folder here"
        case .noFolder:
            "The storage can be mounted, but not as a folder: install gvfs-fuse and let this user use /dev/fuse, or "
                + "mount the storage in the system and then its folder here"
        case .needsLogin: "The server asks for a login: write user:password@ before the host"
        case .refusedLogin: "The server refuses the login: check the user and the password"
        case .unknownHost: "The host is unknown: check its name"
        case .unreachable(let reason): "The server doesn't answer (\(reason)): check that it is on, and the port"
        case .notFound: "The server has no such folder: check the path"
        case .untrusted(let question):
            "The server is not trusted yet (\(question)): connect to it once by hand as Segue's user, with ssh or `gio "
                + "mount`, or install its certificate"
        case .timedOut(let seconds): "The server has not answered in \(seconds) seconds: check that it is on"
        case .cancelled: "It was given up"
        case .other(let reason): "The storage can't be mounted: \(reason)"
        }
    }
}
