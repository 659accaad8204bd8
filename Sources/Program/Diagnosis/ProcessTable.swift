import Foundation
import Glibc

/// The processes of this machine, as far as this user may see them.
package struct ProcessTable: Sendable {
    private let path: String

    /// Reads processes below `path`, which is `/proc` on a running system.
    package init(_ path: String) { self.path = path }

    /// Which processes hold an open file for which `isMeant` is true, as `name (number)`, sorted.
    ///
    /// The files of other users' processes can be read by root only; those are left out.
    package func holders(where isMeant: (String) -> Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name -> (Int, String)? in
            guard let number = Int(name) else { return nil }
            let folder = "\(path)/\(name)/fd"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let holds = files.contains { file in
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
                else { return false }
                return isMeant(target)
            }
            return holds ? (number, "\(self.name(of: number)) (process \(number))") : nil
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The text of a file, or nothing. The kernel's files have no size, and Foundation ends some of them early.
    private static func text(of file: String) -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        // Far more than a table of all sockets takes.
        while bytes.count < 64 << 20 {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name of a program; its number where that can't be read.
    private func name(of process: Int) -> String {
        let text = Self.text(of: "\(path)/\(process)/comm")
        let name = text.prefix { $0 != "\n" }
        return name.isEmpty ? "a program" : String(name)
    }

    /// The numbers of sockets that take TCP connections on a port.
    func listeningSockets(onPort port: Int) -> [String] {
        ["tcp", "tcp6"].flatMap { listeningSockets(onPort: port, in: $0) }
    }

    private func listeningSockets(onPort port: Int, in table: String) -> [String] {
        let text = Self.text(of: "\(path)/net/\(table)")
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            // Address and port in hexadecimal digits; 0A is LISTEN.
            guard fields.count > 9, fields[3] == "0A", let colon = fields[1].utf8.lastIndex(of: UInt8(ascii: ":")),
                Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return String(fields[9])
        }
    }

    /// The program that takes connections on a port: nil when none does, empty when it is unknown.
    package func holders(ofPort port: Int) -> [String]? {
        let sockets = Set(listeningSockets(onPort: port).map { "socket:[\($0)]" })
        guard !sockets.isEmpty else { return nil }
        return holders { sockets.contains($0) }
    }

    /// A limit of a process, such as `Max open files`: the soft and the hard one, in which nil is none.
    package func limit(_ name: String, of process: String = "self") -> (soft: UInt64?, hard: UInt64?)? {
        let text = Self.text(of: "\(path)/\(process)/limits")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        let fields = line.dropFirst(name.count).split(separator: " ")
        guard fields.count >= 2 else { return nil }
        return (UInt64(fields[0]), UInt64(fields[1]))
    }
}
