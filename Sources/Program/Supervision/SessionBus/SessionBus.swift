import Foundation

/// The message bus of a desktop's session.
package enum SessionBus {
    /// Its address, by the variables that desktops and logind set; nil without a session.
    package static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return nil }
        return FileManager.default.fileExists(atPath: folder + "/bus") ? "unix:path=\(folder)/bus" : nil
    }
}
