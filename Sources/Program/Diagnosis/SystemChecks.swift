import Foundation
import Glibc
import MusicModel
import NIOCore

/// Checks what the machine gives the server: ports, devices, services, limits and room. Nothing is changed, and nothing
/// is asked of the network.
package struct SystemChecks: Sendable {
    /// Where the system says things about itself.
    package let places: SystemPlaces
    private let processes: ProcessTable

    /// Checks these places.
    package init(_ places: SystemPlaces) {
        self.places = places
        processes = ProcessTable(places.processes)
    }

    /// Checks that a port of the configuration, which is for `name`, is free or Segue's own.
    func port(_ port: Int, for name: String) -> Finding {
        let subject = "port \(port)"
        guard let holders = processes.holders(ofPort: port) else {
            return Finding(subject, .ok, "free for \(name); no server runs there now")
        }
        if holders.isEmpty {
            return Finding(
                subject, .warning,
                "taken by a program of another user; as root, segue check names it. Is it the server itself?")
        }
        let isOurs = holders.contains { $0.hasPrefix("segue ") }
        guard !isOurs else { return Finding(subject, .ok, "\(name), held by \(holders.joined(separator: ", "))") }
        return Finding(
            subject, .failure,
            "taken by \(holders.joined(separator: ", ")), but meant for \(name). End that program, or choose another "
                + "port in the configuration.")
    }

    /// The programs that play on each sound card, by the path of its device; only root sees those of others.
    func soundCardPlayers() -> [String: [String]] {
        Dictionary(
            soundCardDevices.map { device in (device, processes.holders { $0 == device }) }, uniquingKeysWith: { $1 })
    }

    private var soundCardDevices: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: places.soundDevices)) ?? []
        return names.filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }.sorted().map { "\(places.soundDevices)/\($0)" }
    }

    func soundCards(heldBy players: [String: [String]]) -> [Finding] {
        let devices = soundCardDevices
        guard !devices.isEmpty else {
            return [Finding("sound card", .warning, "none is known to ALSA in \(places.soundDevices)")]
        }
        return devices.map { path in
            let subject = "sound card \((path as NSString).lastPathComponent)"
            guard access(path, R_OK | W_OK) == 0 else {
                return Finding(
                    subject, .failure,
                    "this user may not use it. Add the user to the group audio: sudo usermod -aG audio \(userName)")
            }
            let holders = (players[path] ?? []).joined(separator: ", ")
            return Finding(subject, .ok, holders.isEmpty ? "free" : "in use by \(holders)")
        }
    }

    /// True if an output that takes what is there finds a sound server, and needs no sound card.
    var hasSoundServer: Bool { ["pulse", "pipewire"].contains { SocketReach(soundServerPath($0)) == .answers } }

    private func soundServerPath(_ kind: String) -> String {
        let runtime = places.environment["XDG_RUNTIME_DIR"] ?? "\(places.services)/user/\(getuid())"
        return kind == "pulse" ? "\(runtime)/pulse/native" : "\(runtime)/pipewire-0"
    }

    /// Checks that this user can reach the sound server, `pulse` or `pipewire`, that an output needs.
    func soundServer(_ kind: String) -> Finding {
        let path = soundServerPath(kind)
        let name = kind == "pulse" ? "PulseAudio" : "PipeWire"
        switch SocketReach(path) {
        case .answers: return Finding(name, .ok, "reachable at \(path)")
        case .missing:
            return Finding(
                name, .failure,
                "no socket at \(path). A system service can't reach a user's sound server: run Segue as that "
                    + "user (systemctl --user enable --now segue), or use an output of type alsa.")
        case .refused(let reason):
            return Finding(name, .failure, "\(path) can't be used: \(reason). Start the sound server as this user.")
        }
    }

    /// Finds out if a service of the system, with a socket below that of all services, answers for a purpose.
    package func service(_ name: String, at socket: String, for purpose: String) -> Finding {
        let path = "\(places.services)/\(socket)"
        return switch SocketReach(path) {
        case .answers: Finding(name, .ok, "reachable, for \(purpose)")
        case .missing: Finding(name, .warning, "not there (\(path)); needed for \(purpose)")
        case .refused(let reason): Finding(name, .warning, "can't be used: \(reason); needed for \(purpose)")
        }
    }

    /// Checks that there are descriptors for the clients, and that outputs may have real-time priority.
    func limits(clients: Int, needsRealTime: Bool) -> [Finding] {
        var findings: [Finding] = []
        if let files = processes.limit("Max open files") {
            let wanted = UInt64(max(clients, 0)).addingReportingOverflow(200).partialValue
            let (isEnough, limit) = ((files.hard ?? .max) >= wanted, files.hard.map(String.init) ?? "unlimited")
            let advice = ", fewer than the \(wanted) that max_connections needs. Raise LimitNOFILE of the unit."
            findings.append(Finding("descriptors", isEnough ? .ok : .warning, limit + (isEnough ? "" : advice)))
        }
        if needsRealTime, let priority = processes.limit("Max realtime priority") {
            findings.append(
                (priority.hard ?? .max) > 0
                    ? Finding("real time", .ok, "allowed up to priority \(priority.hard.map(String.init) ?? "99")")
                    : Finding(
                        "real time", .warning,
                        "not allowed, so outputs may stutter on a busy machine. Set LimitRTPRIO=40 in the unit."))
        }
        return findings
    }

    /// Checks that the disk of a folder has room for the wanted bytes, some of which are used already, besides those
    /// that stay free.
    package func room(in folder: String, for name: String, wanted: Int64, used: Int64, keepFree: Int64) -> Finding {
        guard let free = DiskSpace.free(at: folder) else {
            return Finding(name, .warning, "free space in \(folder) is unknown: \(String(cString: strerror(errno)))")
        }
        let missing = max(wanted - used, 0)
        let style = ByteCountFormatStyle(style: .file, locale: Locale(identifier: "en_US"))
        guard free >= keepFree else {
            return Finding(
                name, .failure,
                "\(free.formatted(style)) are free in \(folder), less than the \(keepFree.formatted(style)) of "
                    + "cache.keep_free: nothing more is cached. Free some space, or lower it.")
        }
        guard free - keepFree >= missing else {
            return Finding(
                name, .warning,
                "\(free.formatted(style)) are free in \(folder); the cache may grow by \(missing.formatted(style)): "
                    + "it will remove songs sooner. Lower cache.size, or free some space.")
        }
        return Finding(name, .ok, "\(free.formatted(style)) are free in \(folder)")
    }

    /// Checks that this machine's clock, ahead by some seconds, agrees with another's.
    package static func clock(aheadOfServer difference: Double) -> Finding {
        guard abs(difference) >= 30 else { return Finding("clock", .ok, "agrees with the server's") }
        let direction = difference > 0 ? "ahead of" : "behind"
        return Finding(
            "clock", .warning,
            "\(Int(clamping: Int64(min(abs(difference), 1e15)))) s \(direction) the server's; plays get wrong times. "
                + "Switch on time synchronisation: sudo timedatectl set-ntp true")
    }

    private var userName: String {
        guard let entry = getpwuid(getuid()) else { return "\(getuid())" }
        return String(cString: entry.pointee.pw_name)
    }
}

/// The state of a Unix socket: does anything accept connections there?
enum SocketReach: Equatable {
    case answers
    case missing
    case refused(String)

    init(_ path: String) {
        guard access(path, F_OK) == 0 else {
            self = .missing
            return
        }
        do {
            close(try UnixSocket.connect(to: path))
            self = .answers
        } catch { self = .refused(String(cString: strerror(error.errnoCode))) }
    }
}

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

    static var machine: String {
        func text<Field>(_ field: inout Field) -> String {
            withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        var system = utsname()
        uname(&system)
        let process = ProcessInfo.processInfo
        return "\(process.operatingSystemVersionString), \(text(&system.release)) on \(text(&system.machine)), "
            + "\(process.processorCount) processors, \(process.physicalMemory >> 20) MiB"
    }
}
