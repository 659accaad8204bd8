package import Diagnosis
package import Extensions
import Glibc
import Logging
package import SegueConfiguration

/// Network storages that clients mount.
package enum NetworkStoragesExtension: Extension {
    package static func storages(in folder: String) -> (any StorageService)? {
        StorageKeeper(folder: folder, logger: Logger(label: "segue.storages"))
    }

    package static func check(
        _ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport
    ) async {
        let mounts = DatabaseCheck.mounts(in: configuration.server.stateDirectory + "/segue.db")
        let backends = Set(mounts.compactMap { StorageAddress($0)?.backend })
        if let finding = finding(for: backends, in: system.places.programs) { report.note(finding) }
    }

    /// Tells if GVfs can mount storages by these backends, GIO's names of their schemes, and show them as folders; nil
    /// where there are no storages. `programs` is the folder of programs and their data.
    static func finding(for backends: Set<String>, in programs: String) -> Finding? {
        guard !backends.isEmpty else { return nil }
        let subject = "network storages"
        let missing = backends.sorted().filter { backend in
            // One service speaks both forms of WebDAV.
            let service = backend == "davs" ? "dav" : backend
            return access("\(programs)/share/gvfs/mounts/\(service).mount", F_OK) != 0
        }
        var packages = missing.isEmpty ? [] : ["gvfs-backends"]
        if !fuseDaemons.contains(where: { access("\(programs)/\($0)", X_OK) == 0 }) { packages.append("gvfs-fuse") }
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
