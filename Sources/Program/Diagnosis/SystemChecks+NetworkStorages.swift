import Glibc

extension SystemChecks {
    /// Whether GVfs can mount storages by these backends and show them as folders; nil where there are no storages.
    ///
    /// - Parameter backends: GIO's names of the storages' schemes.
    package func networkStorages(_ backends: Set<String>) -> Finding? {
        guard !backends.isEmpty else { return nil }
        let subject = "network storages"
        let missing = backends.sorted().filter { backend in
            // One service speaks both forms of WebDAV.
            let service = backend == "davs" ? "dav" : backend
            return access("\(places.programs)/share/gvfs/mounts/\(service).mount", F_OK) != 0
        }
        var packages: [String] = []
        if !missing.isEmpty { packages.append("gvfs-backends") }
        if !Self.fuseDaemons.contains(where: { access("\(places.programs)/\($0)", X_OK) == 0 }) {
            packages.append("gvfs-fuse")
        }
        guard !packages.isEmpty else {
            return Finding(subject, .ok, "GVfs supports \(backends.sorted().joined(separator: ", "))")
        }
        let lack =
            missing.isEmpty
            ? "GVfs can't show them as folders" : "nothing here mounts \(missing.joined(separator: ", "))"
        return Finding(
            subject, .failure,
            "clients mounted some, but \(lack). Install \(packages.joined(separator: " and ")), or mount them in the "
                + "system and then their folders here.")
    }

    /// Where distributions put GVfs's FUSE daemon.
    private static let fuseDaemons = ["libexec/gvfsd-fuse", "lib/gvfs/gvfsd-fuse", "lib/gvfsd-fuse"]
}
