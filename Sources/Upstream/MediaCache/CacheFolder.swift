import Glibc
import Logging
import MusicModel
import Playback

/// The files of a cache: which are complete, when each was used last, and which must go. A file is incomplete while a
/// marker of the same name with `.part` is next to it. Markers and their files that a crash left are removed on start,
/// since nothing says how much of them reached the disk.
struct CacheFolder: Sendable {
    let path: String
    private let byteLimit: Int64
    private let keepFree: Int64
    /// Bytes of the disk beyond these that this folder leaves to others, as long as it has files that may go.
    private let reserve: Int64
    /// The bytes of the disk with a folder that this user may still fill; nil where the system doesn't say.
    private let freeSpace: @Sendable (_ folder: String) -> Int64?
    private var entries: [String: (size: Int64, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0

    static let isNearlyFull = "The disk with the cache is nearly full. Free some space, or lower keep_free."

    init(
        path: String, byteLimit: Int64, keepFree: Int64, reserve: Int64 = 0,
        freeSpace: @escaping @Sendable (_ folder: String) -> Int64? = DiskSpace.free
    ) throws {
        (self.path, self.freeSpace, self.keepFree, self.reserve) = (path, freeSpace, keepFree, reserve)
        self.byteLimit = byteLimit
        try Self.make(path)
        guard let listing = DiskPath(exactly: path).list(names: FileNames())
        else { throw TrackError("Can't read the cache directory \(path): \(Self.reason()).") }
        admit(
            listing.entries.compactMap { name, path in
                guard let status = path.status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
                return (name, Int64(status.st_size), status.st_mtim.tv_sec)
            })
    }

    private mutating func admit(_ found: [(name: String, size: Int64, time: Int)]) {
        let markers = Set(found.map(\.name).filter { $0.hasSuffix(".part") })
        for file in found.sorted(by: { $0.time < $1.time }) where !markers.contains(file.name) {
            // No song is empty: such a file was left by a full disk or a crash.
            if file.size == 0 || markers.contains(file.name + ".part") {
                unlink("\(path)/\(file.name)")
            } else {
                add(file.name, size: file.size)
            }
        }
        for marker in markers { unlink("\(path)/\(marker)") }
    }

    private static func make(_ path: String) throws {
        var parent = ""
        for part in path.pathParts {
            parent += "/\(part)"
            if mkdir(parent, 0o700) != 0 && errno != EEXIST {
                throw TrackError("Can't make the cache directory \(path): \(reason()). Choose another cache_directory.")
            }
        }
    }

    static func reason() -> String { String(cString: strerror(errno)) }
    var totalSize: Int64 { entries.values.reduce(0) { $0 + $1.size } }
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The size of a complete file, which counts as used now; nil if it isn't there.
    mutating func use(_ name: String) -> Int64? {
        guard entries[name] != nil else { return nil }
        var information = stat()
        guard stat(path(of: name), &information) == 0, Int64(information.st_size) == entries[name]?.size else {
            // Another program removed or changed it.
            entries[name] = nil
            return nil
        }
        uses += 1
        entries[name]?.lastUse = uses
        // The time on disk carries the order over a restart.
        utimensat(AT_FDCWD, path(of: name), nil, 0)
        return entries[name]?.size
    }

    func contains(_ name: String) -> Bool { entries[name] != nil }

    mutating func add(_ name: String, size: Int64) {
        uses += 1
        entries[name] = (size, uses)
    }

    func create(_ name: String) throws(TrackError) -> Int32 {
        // The marker comes first: a file without one counts as complete at the next start.
        let marker = open(path(of: name + ".part"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard marker >= 0 else { throw TrackError("Can't write to the cache directory \(path): \(Self.reason()).") }
        close(marker)
        // A link or a pipe of that name is not ours.
        let file = open(path(of: name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            let reason = Self.reason()
            unlink(path(of: name + ".part"))
            throw TrackError("Can't write to the cache directory \(path): \(reason).")
        }
        return file
    }

    mutating func finish(_ name: String, size: Int64) {
        unlink(path(of: name + ".part"))
        add(name, size: size)
    }

    mutating func forget(_ name: String) {
        delete(name)
        entries[name] = nil
    }

    func discard(_ name: String) {
        delete(name)
        unlink(path(of: name + ".part"))
    }

    /// Deletes a file; one that stays takes room on the disk that none counts any more.
    private func delete(_ name: String) {
        guard unlink(path(of: name)) != 0, errno != ENOENT else { return }
        Logger(label: "segue.cache").warning("\(path(of: name)) can't be deleted: \(Self.reason())")
    }

    /// Removes the files that were used longest ago until the rest fits.
    /// - Returns: the names of the files that are gone.
    @discardableResult
    mutating func evict(making room: Int64 = 0, sparing: Set<String>) -> [String] {
        var excess = max(totalSize + room - byteLimit, missingSpace(for: room.addingClamped(reserve)))
        var gone: [String] = []
        for (name, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            if excess <= 0 { break }
            if sparing.contains(name) { continue }
            delete(name)
            entries[name] = nil
            excess -= entry.size
            gone.append(name)
        }
        return gone
    }

    /// How many bytes more must be free on the disk before this many can be written; none or less where there is room.
    func missingSpace(for bytes: Int64) -> Int64 {
        guard keepFree > 0, let free = freeSpace(path) else { return .min }
        return keepFree.addingClamped(bytes).subtractingClamped(free)
    }

    /// True if files should go before that many bytes are written, so that others find their room, too.
    func isNarrow(for bytes: Int64) -> Bool { missingSpace(for: bytes.addingClamped(reserve)) > 0 }

    /// Removes the files that were used longest ago where that many bytes have no room on the disk otherwise.
    /// - Throws: `TrackError` where there is too little room even without all of them; then they stay.
    mutating func makeRoom(for bytes: Int64) throws(TrackError) {
        let missing = missingSpace(for: bytes)
        guard missing > 0 else { return }
        guard missing <= totalSize else { throw TrackError(Self.isNearlyFull) }
        evict(making: bytes, sparing: [])
    }
}
