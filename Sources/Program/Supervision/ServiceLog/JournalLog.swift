import Glibc

/// A field of an entry in systemd's journal.
struct JournalField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        var name = String(
            name.unicodeScalars.prefix(64).map { scalar in
                switch scalar {
                case "A"..."Z", "0"..."9": Character(scalar)
                case "a"..."z": Character(Character(scalar).uppercased())
                default: "_"
                }
            })
        // The journal keeps names that begin so for itself, and discards a field whose name begins with a digit.
        if name.first.map({ $0 == "_" || $0.isNumber }) ?? true { name = String(("X" + name).prefix(64)) }
        (self.name, self.value) = (name, value)
    }
}

/// The journal of systemd by its own protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL), which keeps fields apart.
///
/// An entry is a datagram to the journal's socket. Each is sent to the path again, so that a journal that was started
/// again is found. Entries that it refuses are written as lines.
struct JournalLog: LogDestination {
    static let socketPath = "/run/systemd/journal/socket"

    private let descriptor: CInt
    private let name: SocketName
    private let lines: any LogDestination

    /// Opens a socket for datagrams to the journal; nil where that fails or nothing is at the path. `lines` takes what
    /// the journal refuses.
    init?(path: String = socketPath, otherwise lines: any LogDestination) {
        guard access(path, W_OK) == 0, let name = SocketName(path) else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // A journal that hangs must not keep the program from ending.
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        (self.descriptor, self.name, self.lines) = (descriptor, name, lines)
    }

    func write(_ records: [LogRecord]) {
        for record in records where !send(Self.entry(record.fields)) { lines.write([record]) }
    }

    /// The fields as the journal reads them: `NAME=value`, or with its length in front where the value has line breaks.
    static func entry(_ fields: [JournalField]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            bytes += Array(field.name.utf8)
            if field.value.utf8.contains(0x0A) {
                bytes.append(0x0A)
                withUnsafeBytes(of: UInt64(field.value.utf8.count).littleEndian) { bytes += Array($0) }
            } else {
                bytes.append(0x3D)
            }
            bytes += Array(field.value.utf8)
            bytes.append(0x0A)
        }
        return bytes
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        let sent = name.withSocketAddress { address, size in
            bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, size) }
        }
        return sent == bytes.count
    }
}

/// Checks if a descriptor leads to systemd's journal, which keeps the time of each line itself and reads its priority
/// from `<3>` to `<7>` at the beginning (sd-daemon(3)).
enum JournalStream {
    /// Compares `JOURNAL_STREAM`, the journal's device and inode, with those of the descriptor: a program that was
    /// started with its errors sent elsewhere still inherits the variable.
    static func isConnected(to descriptor: Int32, environment: [String: String]) -> Bool {
        let parts = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }

    static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
