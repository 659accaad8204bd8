import Glibc
import MusicModel

/// File systems whose files the system makes up, and in which nobody keeps music: what is read there tells of the
/// machine, has no end, or does something.
struct PseudoFileSystem {
    private static let types: Set<Substring> = [
        "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs",
        "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs",
        "tracefs",
    ]

    /// The numbers of their devices.
    private let devices: Set<UInt64>

    /// Looks which of them are mounted.
    ///
    /// - Source: proc_pid_mountinfo(5).
    init() {
        let bytes = (try? RegularFile.read("/proc/self/mountinfo", upTo: 16 << 20)) ?? []
        var devices: Set<UInt64> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 6, let dash = words.dropFirst(6).firstIndex(of: "-"), dash + 1 < words.count,
                Self.types.contains(words[dash + 1])
            else { continue }
            let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
            if numbers.count == 2 { devices.insert(Self.device(major: numbers[0], minor: numbers[1])) }
        }
        self.devices = devices
    }

    /// The number that `stat` has for a device.
    private static func device(major: UInt32, minor: UInt32) -> UInt64 {
        let (major, minor) = (UInt64(major), UInt64(minor))
        return (minor & 0xFF) | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
    }

    /// Whether a folder of this device lies in one.
    func has(device: UInt64) -> Bool { devices.contains(device) }
}
