import Foundation
import Glibc

/// The memory that this process takes of the machine, and how much it may take.
package enum ProcessMemory {
    // Stays open: a check is one system call then, and works without a free descriptor.
    private static let counters = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private static let pageSize = max(sysconf(Int32(_SC_PAGESIZE)), 1)

    /// The bytes that this process alone has in memory, without mapped files, in some microseconds; 0 where unknown.
    package static func ownUse() -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
            let length = pread(counters, text.baseAddress, text.count, 0)
            guard length > 0 else { return 0 }
            // "size resident shared ...", in pages.
            let numbers = text[..<length].split(separator: UInt8(ascii: " ")).prefix(3)
                .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 3 else { return 0 }
            return max(0, numbers[1] - numbers[2]) * pageSize
        }
    }

    /// Gives freed pages of the heap back to the system; takes some milliseconds for a large heap.
    package static func trimHeap() {
        // Swift's Glibc module has no malloc.h, so the symbol is looked up; other C libraries don't have it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    /// A quarter of what the machine, container or unit has; at least 128 MiB, at most 1 GiB.
    package static func standardBudget(
        machine: Int = Int(clamping: ProcessInfo.processInfo.physicalMemory), allowance: Int? = controlGroupLimit()
    ) -> Int { min(max(min(machine, allowance ?? .max) / 4, 128 << 20), 1 << 30) }

    /// The lowest limit of the control groups below `root` that a process belongs to, by `/proc/self/cgroup`, in bytes.
    package static func controlGroupLimit(
        membership: String? = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8),
        root: String = "/sys/fs/cgroup"
    ) -> Int? {
        var limits: [Int] = []
        for line in (membership ?? "").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isUnified = parts[0] == "0" && parts[1].isEmpty
            guard isUnified || parts[1].split(separator: ",").contains("memory") else { continue }
            let files = isUnified ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"]
            // Limits of the groups around it count as well. A container may see its own group as the root.
            var folders = parts[2].split(separator: "/").filter { $0 != ".." }
            while true {
                let folder = ([isUnified ? root : root + "/memory"] + folders.map(String.init)).joined(separator: "/")
                limits += files.compactMap { limit(in: folder + "/" + $0) }
                if folders.popLast() == nil { break }
            }
        }
        return limits.min()
    }

    /// The number in a file; nil for `max`, and for the huge number that stands for it in older systems.
    private static func limit(in path: String) -> Int? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), number > 0, number < 1 << 60
        else { return nil }
        return number
    }
}
