import Foundation

/// Where the system says things about itself.
package struct SystemPlaces: Sendable {
    /// The kernel's view of processes and sockets.
    package var processes = "/proc"
    /// Sockets of services.
    package var services = "/run"
    /// The devices of sound cards.
    package var soundDevices = "/dev/snd"
    /// Programs and their data.
    package var programs = "/usr"
    /// The environment's variables.
    package var environment: [String: String]

    /// The places of a running Linux.
    package init(environment: [String: String]) { self.environment = environment }

    /// The system's name and the machine's kind, as far as they are known.
    static var machine: String {
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? "Linux"
        var information = utsname()
        uname(&information)
        let machine = withUnsafeBytes(of: &information.machine) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let kernel = withUnsafeBytes(of: &information.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let (processors, memory) = (
            ProcessInfo.processInfo.processorCount, ProcessInfo.processInfo.physicalMemory >> 20
        )
        return "\(name.trimmingPrefix("\"").prefix { $0 != "\"" }), \(kernel) on \(machine), "
            + "\(processors) processors, \(memory) MiB"
    }
}
