import Foundation
import MPDSessions
import Outputs
import SegueConfiguration
import Desktop

extension Daemon {
    /// The services that others on the network can find here: the server, and outputs that serve their sound.
    var announcements: [Announcement] {
        guard configuration.zeroconf.enabled else { return [] }
        let name = Announcement.name(configuration.zeroconf.name, host: ProcessInfo.processInfo.hostName)
        var found = server.portsForOtherMachines.compactMap(UInt16.init(exactly:)).map {
            Announcement(name: name, type: "_mpd._tcp", port: $0, text: ["server=Segue \(Segue.version)"])
        }
        for port in web.portsForOtherMachines.compactMap(UInt16.init(exactly:)) {
            found.append(Announcement(name: name, type: "_http._tcp", port: port, text: ["path=/"]))
        }
        for output in configuration.outputs where output.type == .httpd && output.httpd.isForOtherMachines {
            // A port that the system chooses isn't known here.
            guard let port = UInt16(exactly: output.httpd.port), port > 0 else { continue }
            found.append(
                Announcement(name: "\(output.name) - \(name)", type: "_http._tcp", port: port, text: ["path=/"]))
        }
        return found
    }
}
