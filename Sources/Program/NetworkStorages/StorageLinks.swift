import Foundation
import LibraryIndex

/// The folder with a link for every network storage, which leads to where the system has mounted it.
///
/// Songs are known by their paths below the links, which stay the same where the system mounts a storage elsewhere.
struct StorageLinks: Sendable {
    private let folder: String

    init(in folder: String) { self.folder = folder }
    func path(of address: StorageAddress) -> String { "\(folder)/\(address.fileName)" }
    /// Tells by its presence that the program itself has mounted a storage, also after a restart.
    private func mark(of address: StorageAddress) -> String { path(of: address) + ".mounted" }

    func own(_ address: StorageAddress) {
        mkdir(folder, 0o700)
        close(open(mark(of: address), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }

    /// Leads a storage's link to where it is mounted, a path without links, as `LinkBoundary` wants it. Throws when the
    /// state directory can't be written.
    func lead(_ address: StorageAddress, to target: String) throws(StorageFailure) {
        mkdir(folder, 0o700)
        let link = path(of: address)
        let isThere = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == target
        if !isThere {
            unlink(link + ".new")
            guard symlink(target, link + ".new") == 0, rename(link + ".new", link) == 0 else {
                throw .other("\(folder) can't be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Removes a storage's link; true if the program had mounted it.
    func remove(_ address: StorageAddress) -> Bool {
        unlink(path(of: address))
        return unlink(mark(of: address)) == 0
    }
}
