import Foundation

/// The user that a folder belongs to.
///
/// `sudo segue login` is how people set up a service that runs as a user of its own. Files that root left behind in its
/// directories could not be read or replaced by the service, so root becomes that user before anything is touched.
package enum FolderOwner {
    /// Becomes a folder's owner for good, if this is root and the folder is another user's; true if this is another
    /// user now.
    /// Opens nothing and creates nothing. What root may read, such as the configuration, has to be read before. A
    /// folder that does not exist yet will be root's.
    @discardableResult
    package static func become(of folder: String) throws -> Bool {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return false }
        let user = Account(status.st_uid)
        let isDone = user.joinGroups(fallback: status.st_gid) && setuid(status.st_uid) == 0
        guard isDone, geteuid() == status.st_uid else {
            let reason = String(cString: strerror(errno))
            throw ProcessError(
                "can't become \(user.name), who owns \(folder): \(reason). Run this as that user: sudo -u \(user.name) segue ..."
            )
        }
        user.adoptEnvironment()
        return true
    }

    /// Runs `body` as a folder's owner, if this is root and the folder is another user's, and is root again behind it:
    /// for a file that has to be made before root has done its part. Other threads become that user meanwhile, too.
    package static func acting<Result>(for folder: String, _ body: () throws -> Result) throws -> Result {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return try body() }
        let group = getegid()
        // Only root may change its group, so that it comes first and goes back last.
        guard setegid(status.st_gid) == 0, seteuid(status.st_uid) == 0 else {
            let reason = String(cString: strerror(errno))
            _ = setegid(group)
            throw ProcessError("can't act for the owner of \(folder): \(reason)")
        }
        defer {
            _ = seteuid(0)
            _ = setegid(group)
        }
        return try body()
    }
}

/// One line of the system's list of users, or just a number where the list has none for it.
private struct Account {
    let id: uid_t
    let name: String
    let home: String?
    private let group: gid_t?

    init(_ id: uid_t) {
        self.id = id
        // Called once, before anything else runs that could ask as well.
        let entry = getpwuid(id)?.pointee
        name = entry.map { String(cString: $0.pw_name) } ?? "#\(id)"
        home = entry.map { String(cString: $0.pw_dir) }
        group = entry?.pw_gid
    }

    /// Takes the user's groups, `audio` for one; needs root.
    func joinGroups(fallback: gid_t) -> Bool {
        if let group { return initgroups(name, group) == 0 && setgid(group) == 0 }
        return setgroups(0, nil) == 0 && setgid(fallback) == 0
    }

    /// GStreamer and others keep files in the user's folders, which must not be root's.
    func adoptEnvironment() {
        for name in ["CACHE", "CONFIG", "DATA", "STATE"] { unsetenv("XDG_\(name)_HOME") }
        unsetenv("XDG_RUNTIME_DIR")
        setenv("HOME", home ?? "/nonexistent", 1)
        setenv("USER", name, 1)
        setenv("LOGNAME", name, 1)
    }
}
