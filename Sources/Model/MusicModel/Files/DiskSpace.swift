import Glibc

/// The room on disks.
package enum DiskSpace {
    /// The bytes of the disk with a file or a folder that this user may still fill; nil where the system doesn't say.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isHuge ? .max / 2 : Int64(clamping: min(bytes, UInt64(Int64.max / 2)))
    }
}
