import Glibc
import MusicModel
import Playback
import Players

/// A partition's player as an object of MPRIS.
///
/// Properties are answered from what was told last, so that no question waits for the player.
/// - Isolation: the thread of the bus's loop.
final class MediaPlayerObject: BusObject {
    private static let root = "org.mpris.MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let path = "/org/mpris/MediaPlayer2"

    private let identity: String
    private let send: @Sendable (MediaCommand) -> Void
    private var state = MediaPlayerState.empty
    private let bus: BusConnection

    /// Appears on the bus under `name`, or under another one with the process's number where that is taken.
    init(_ name: String, identity: String, _ send: @escaping @Sendable (MediaCommand) -> Void) throws(BusFailure) {
        (self.identity, self.send) = (identity, send)
        bus = try BusConnection(.session)
        try bus.export(self, at: Self.path, description: Self.description)
        if try !bus.own("\(Self.root).\(name)") { _ = try bus.own("\(Self.root).\(name).instance\(getpid())") }
    }

    func show(_ new: MediaPlayerState) {
        let (old, properties) = (state, new.properties)
        state = new
        let known = old.properties
        let changed = properties.filter { known[$0.key] != $0.value }
        if !changed.isEmpty {
            bus.emit(
                Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [.text(Self.player), .dictionary(changed), .texts([])])
        }
        if new.hasJumped(from: old) {
            bus.emit(Self.path, Self.player, "Seeked", [.int64(new.elapsed.wholeMicroseconds)])
        }
    }

    /// Calls `body` when the bus has gone away; this may be let go only after it returns.
    func whenLost(_ body: @escaping () -> Void) { bus.whenLost(body) }

    func close() {
        bus.withdraw()
        bus.close()
    }

    func call(_ interface: String, _ method: String, _ arguments: BusVariant) throws(BusFailure) -> [BusVariant] {
        switch method {
        case "Next": send(.next)
        case "Previous": send(.previous)
        case "Play": send(.play)
        case "Pause": send(.pause)
        case "PlayPause": send(.playPause)
        case "Stop": send(.stop)
        case "Seek":
            if case .int64(let offset)? = arguments[0] { send(.seek(by: .microseconds(offset))) }
        case "SetPosition": setPosition(arguments)
        case "OpenUri": try open(arguments[0]?.text ?? "")
        // Raise and Quit: the properties say that these can't be done.
        default: break
        }
        return []
    }

    private func setPosition(_ arguments: BusVariant) {
        guard let song = state.song, arguments[0]?.text == song.trackID, case .int64(let position)? = arguments[1],
            position >= 0, position <= song.length?.wholeMicroseconds ?? 0
        else { return }
        send(.setPosition(entry: song.entry, .microseconds(position)))
    }

    /// The kinds of addresses that are played. Files are the library's matter, whose paths a desktop doesn't know.
    private static let schemes = ["http", "https"]

    private func open(_ uri: String) throws(BusFailure) {
        guard Self.schemes.contains(where: { uri.lowercased().hasPrefix($0 + "://") }), uri.utf8.count <= 8192 else {
            throw BusFailure(
                name: "org.freedesktop.DBus.Error.NotSupported",
                message: "Only addresses that begin with http:// or https:// can be opened.")
        }
        send(.open(uri: uri))
    }

    func value(of property: String, in interface: String) -> BusVariant? {
        if interface == Self.root { return rootProperties[property] }
        switch property {
        case "Position": return .int64(state.position(at: .now).wholeMicroseconds)
        case "MinimumRate": return .double(Player.speeds.lowerBound)
        case "MaximumRate": return .double(Player.speeds.upperBound)
        case "CanControl": return .flag(true)
        default: return state.properties[property]
        }
    }

    /// There is no track list: MPRIS wants the paths of all tracks in one property, megabytes after each edit of a long
    /// queue, and their metadata at once, which only the database has. Panels and lock screens don't ask for it.
    private var rootProperties: [String: BusVariant] {
        [
            "CanQuit": .flag(false), "CanRaise": .flag(false), "HasTrackList": .flag(false),
            "Identity": .text(identity), "DesktopEntry": .text("segue"), "SupportedUriSchemes": .texts(Self.schemes),
            "SupportedMimeTypes": .texts([]),
        ]
    }

    func set(_ property: String, in interface: String, to value: BusVariant) throws(BusFailure) {
        switch (property, value) {
        case ("Shuffle", .flag(let isRandom)): send(.setRandom(isRandom))
        case ("Volume", .double(let volume)):
            // Not a number counts as silence, too.
            send(.setVolume(volume > 0 ? Int((min(volume, 1) * 100).rounded()) : 0))
        case ("LoopStatus", .text("None")): send(.setLoop(isRepeating: false, isSingle: false))
        case ("LoopStatus", .text("Playlist")): send(.setLoop(isRepeating: true, isSingle: false))
        case ("LoopStatus", .text("Track")): send(.setLoop(isRepeating: true, isSingle: true))
        // The specification wants a pause for 0.
        case ("Rate", .double(0)): send(.pause)
        case ("Rate", .double(let speed)) where speed > 0:
            send(.setSpeed(speed.clamped(to: Player.speeds)))
        default: throw BusFailure(name: nil, message: "\(property) can't have this value.")
        }
    }

    /// - Source: freedesktop.org's MPRIS v2.2 specification.
    private static let description = """
        <node>
          <interface name="org.mpris.MediaPlayer2">
            <method name="Raise"/>
            <method name="Quit"/>
            \(properties("b", ["CanQuit", "CanRaise", "HasTrackList"]))
            \(properties("s", ["Identity", "DesktopEntry"]))
            \(properties("as", ["SupportedUriSchemes", "SupportedMimeTypes"]))
          </interface>
          <interface name="org.mpris.MediaPlayer2.Player">
            <method name="Next"/>
            <method name="Previous"/>
            <method name="Pause"/>
            <method name="PlayPause"/>
            <method name="Stop"/>
            <method name="Play"/>
            <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
            <method name="SetPosition">
              <arg name="TrackId" type="o" direction="in"/>
              <arg name="Position" type="x" direction="in"/>
            </method>
            <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
            <signal name="Seeked"><arg name="Position" type="x"/></signal>
            \(properties("s", ["PlaybackStatus"]))
            \(properties("s", ["LoopStatus"], access: "readwrite"))
            \(properties("d", ["Rate", "Volume"], access: "readwrite"))
            \(properties("b", ["Shuffle"], access: "readwrite"))
            \(properties("a{sv}", ["Metadata"]))
            \(properties("x", ["Position"], isTold: false))
            \(properties("d", ["MinimumRate", "MaximumRate"]))
            \(properties("b", ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek"]))
            \(properties("b", ["CanControl"], isTold: false))
          </interface>
        </node>
        """

    private static func properties(
        _ type: String, _ names: [String], access: String = "read", isTold: Bool = true
    ) -> String {
        let note = "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(isTold)\"/>"
        return names.map {
            "<property name=\"\($0)\" type=\"\(type)\" access=\"\(access)\">\(note)</property>"
        }.joined()
    }
}

extension MediaPlayerState {
    /// The properties of MPRIS's player that it is told when they change; the position is not among them.
    /// - Source: freedesktop.org's MPRIS v2.2 specification, `org.mpris.MediaPlayer2.Player`.
    var properties: [String: BusVariant] {
        [
            "PlaybackStatus": .text(transport == .play ? "Playing" : transport == .pause ? "Paused" : "Stopped"),
            "LoopStatus": .text(!isRepeating ? "None" : isSingle ? "Track" : "Playlist"),
            "Shuffle": .flag(isRandom),
            "Volume": .double(Double(volume) / 100),
            "Rate": .double(speed),
            "Metadata": .dictionary(song?.metadata ?? ["mpris:trackid": .path(Self.noTrack)]),
            "CanGoNext": .flag(hasNext),
            "CanGoPrevious": .flag(song != nil),
            "CanPlay": .flag(hasSongs),
            "CanPause": .flag(song != nil),
            "CanSeek": .flag(song?.length != nil),
        ]
    }

    private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
}

extension MediaSong {
    /// The object that stands for the entry; a song that is played twice in a row has two.
    var trackID: String { "/org/segue/queue/\(entry)" }

    /// The song in the words of MPRIS.
    /// - Source: freedesktop.org's MPRIS v2 metadata guidelines.
    var metadata: [String: BusVariant] {
        var found: [String: BusVariant] = [
            "mpris:trackid": .path(trackID), "xesam:title": .text(title),
        ]
        found["xesam:url"] = url.map { .text($0) }
        found["mpris:length"] = length.map { .int64($0.wholeMicroseconds) }
        found["mpris:artUrl"] = picture.map { .text("file://" + $0) }
        found["xesam:album"] = values(.album).first.map { .text($0) }
        for (name, tag) in Self.lists {
            let values = values(tag)
            if !values.isEmpty { found[name] = .texts(values) }
        }
        found["xesam:trackNumber"] = number(.track).map { .int32($0) }
        found["xesam:discNumber"] = number(.disc).map { .int32($0) }
        found["xesam:contentCreated"] = values(.date).first.map { .text($0) }
        found["xesam:userRating"] = rating.map { .double(Double($0) / 10) }
        return found
    }

    private static let lists: [(String, Tag)] = [
        ("xesam:artist", .artist), ("xesam:albumArtist", .albumArtist), ("xesam:genre", .genre),
        ("xesam:composer", .composer), ("xesam:comment", .comment),
    ]

    /// The digits that a number such as `3/12` begins with.
    private func number(_ tag: Tag) -> Int32? {
        values(tag).first.flatMap { Int32($0.prefix { $0.isASCII && $0.isNumber }) }
    }
}

extension Duration {
    /// In microseconds, as MPRIS counts; `Int64.max` for what is longer.
    var wholeMicroseconds: Int64 { Int64(Int(saturating: (self / .microseconds(1)).rounded())) }
}
