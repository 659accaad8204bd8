import Foundation
import Logging
import Outputs
package import SegueConfiguration
import UserLibrary

/// The house that `segue demo` shows: two rooms and two stations, all on this machine.
///
/// - Isolation: any thread that may wait.
package struct DemoHouse: Sendable {
    /// The stations on air; they end with the process, or when they are stopped.
    package let stations: [DemoStation]

    /// Puts the stations on air.
    ///
    /// - Throws: `AudioFileError` where the system gives a station no port.
    package init() throws {
        // The program's log doesn't exist yet, and the stations have nothing to say that users could mend.
        let log = Logger(label: "segue.demo") { _ in SwiftLogNoOpLogHandler() }
        stations = try DemoStation.Programme.allCases.map { try DemoStation($0, log: log) }
    }

    /// Adds rooms and stations to the demonstration's configuration, and writes the stations' pictures into a folder.
    ///
    /// - Throws: an error of the system where the folder can't be written.
    package func furnish(_ configuration: inout Configuration, picturesIn folder: String) throws {
        configuration.outputs = Self.rooms()
        configuration.stations = try zip(DemoStation.Programme.allCases, stations).map { programme, station in
            let picture = "\(folder)/\(programme.rawValue).png"
            try Data(programme.picture).write(to: URL(fileURLWithPath: picture))
            return Station(
                name: programme.rawValue, url: station.url, picture: .file(picture), country: "Segue",
                genre: programme.genre)
        }
    }

    /// The room with this machine's sound, and one that browsers hear ("listen here").
    private static func rooms() -> [OutputSpecification] {
        var kitchen = OutputSpecification(type: .httpd, name: "Kitchen")
        kitchen.httpd.address = "127.0.0.1"
        kitchen.httpd.port = freePort(8000)
        kitchen.isAlwaysOn = true
        return [OutputSpecification(type: .auto, name: "Living room"), kitchen]
    }

    /// A port of this machine that no program uses now: the usual one if that is free.
    static func freePort(_ usual: Int) -> Int { port(bound: usual) ?? port(bound: 0) ?? usual }

    private static func port(bound port: Int) -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
