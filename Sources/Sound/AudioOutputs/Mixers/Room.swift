package import Playback

/// A device elsewhere that plays what an output sends, and is an output of its own for clients.
package struct Room: Hashable, Sendable {
    /// Identifies it, whatever its name.
    package var id: String
    /// Its name; several may have the same.
    package var name: String
    /// True if it is to be heard.
    package var isEnabled: Bool
    var attributes: [String: String]
    /// The devices that it is a group of, by their ids and their own names; none for one device.
    var members: [Member] = []

    struct Member: Hashable, Sendable {
        var id: String
        var name: String
    }

    /// The attributes, with the names that the outputs of its members have.
    package func attributes(naming names: (_ id: String) -> String?) -> [String: String] {
        guard !members.isEmpty else { return attributes }
        let named = members.map { names($0.id) ?? $0.name }.joined(separator: ", ")
        return attributes.merging(["clients": SnapcastMessage.clean(named, longest: 1024)]) { $1 }
    }
}

/// Steers the devices that play what an output sends.
/// - Isolation: any thread; nothing waits.
package protocol RoomControl: AnyObject, Sendable {
    /// The devices, in the order in which they became known.
    var rooms: [Room] { get }
    /// Lets a device be heard, or not.
    func setRoom(_ id: String, enabled: Bool)
    /// - Throws: `OutputAttributeError` when there is no such attribute, or not with that value.
    func setRoom(_ id: String, attribute: String, to value: String) throws(OutputAttributeError)
    /// Ends the connection.
    func close()
}
