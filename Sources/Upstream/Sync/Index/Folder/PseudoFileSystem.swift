import Glibc
import MusicModel

/// File systems whose files the system makes up, and in which there is no music: what is read there tells of the
/// machine, has no end, or does something.
struct PseudoFileSystem {
    private static let types: Set<Substring> = [
        "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs",
        "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs",
        "tracefs",
    ]

    private let devices: Set<UInt64>

    /// Finds out which of them are mounted, by proc_pid_mountinfo(5).
    init() { devices = Self.devices { Self.types.contains($0) } }

    /// The numbers of the devices with mounted file systems of some types.
    fileprivate static func devices(ofType isWanted: (Substring) -> Bool) -> Set<UInt64> {
        let bytes = (try? RegularFile.read("/proc/self/mountinfo", upTo: 16 << 20)) ?? []
        var devices: Set<UInt64> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 6, let dash = words.dropFirst(6).firstIndex(of: "-"), dash + 1 < words.count,
                isWanted(words[dash + 1])
            else { continue }
            let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
            if numbers.count == 2 { devices.insert(device(major: numbers[0], minor: numbers[1])) }
        }
        return devices
    }

    /// The number that `stat` has for a device.
    private static func device(major: UInt32, minor: UInt32) -> UInt64 {
        let (major, minor) = (UInt64(major), UInt64(minor))
        return (minor & 0xFF) | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
    }

    func has(device: UInt64) -> Bool { devices.contains(device) }
}

/// File systems that don't tell of what other machines change in them.
enum SilentFileSystem {
    private static let types: Set<Substring> = [
        "9p", "afs", "ceph", "cifs", "coda", "davfs", "fuse", "fuseblk", "nfs", "nfs4", "smb3", "smbfs", "virtiofs",
    ]

    /// True if the folder lies in one; false where that can't be found out. Blocks for a read of it.
    static func holds(_ folder: String) -> Bool {
        guard let status = DiskPath(folder).status() else { return false }
        let devices = PseudoFileSystem.devices { types.contains($0) || $0.hasPrefix("fuse.") }
        return devices.contains(UInt64(status.st_dev))
    }
}
