import Coordination
import Logging
import MusicModel
import Playback
import Players
import ServerLoop

/// Shows the players to a home's automations by MQTT, and does what these ask for.
@ServerActor
final class HomeControls {
    struct Playlists: Sendable {
        var names: @Sendable () async -> [String]
        /// Plays one in place of a partition's queue; gives the reason when that can't be done.
        var play: @ServerActor @Sendable (_ name: String, Partition) async -> String?
    }

    private let settings: BrokerSettings
    private let watch: PlayerWatch
    private let playlists: Playlists
    private let version: String
    private let log: Logger
    private var states: [String: String] = [:]
    private var connection: BrokerConnection?
    private var notices = BrokerNotices()
    /// True once the broker has heard of the partitions.
    private var isConnected = false

    init(
        _ settings: BrokerSettings, _ watch: PlayerWatch, _ playlists: Playlists, version: String, log: Logger
    ) {
        (self.settings, self.watch, self.playlists) = (settings, watch, playlists)
        (self.version, self.log) = (version, log)
    }

    /// Serves the broker until the task is cancelled.
    func run() async {
        let connection: BrokerConnection
        do throws(BrokerConnection.Failure) {
            connection = try BrokerConnection(settings, id: settings.clientID)
        } catch {
            log.warning("The MQTT broker \(settings.host) can't be used: \(error.message)")
            return
        }
        guard connection.begin() else {
            log.warning("The MQTT broker \(settings.host) can't be used: \(BlockingThread.missing)")
            return
        }
        self.connection = connection
        watch.begin { [weak self] state, partition in self?.show(state, partition) }
        await withTaskCancellationHandler {
            for await event in connection.events.stream {
                connection.events.taken()
                await handle(event)
            }
        } onCancel: {
            connection.end()
        }
        watch.end()
        self.connection = nil
    }

    /// Tells Home Assistant of playlists that came or went.
    func playlistsChanged() async {
        guard connection != nil else { return }
        await announce()
    }

    // MARK: To the broker

    private func show(_ state: MediaPlayerState?, _ partition: String) {
        let device = device(partition)
        guard let state else {
            states[partition] = nil
            // An empty text takes back what the broker keeps.
            for announcement in device.announcements(playlists: []) { connection?.publish("", to: announcement.topic) }
            connection?.publish("", to: device.stateTopic)
            return
        }
        let text = HomeDevice.state(state)
        let earlier = states.updateValue(text, forKey: partition)
        guard earlier != text else { return }
        if earlier == nil, isConnected { Task { await announce() } }
        connection?.publish(text, to: device.stateTopic)
    }

    private func announce() async {
        let names = settings.discovery.isEmpty ? [] : await playlists.names()
        for partition in watch.partitions {
            for announcement in device(partition.name).announcements(playlists: names) {
                connection?.publish(announcement.text, to: announcement.topic)
            }
        }
    }

    private func device(_ partition: String) -> HomeDevice {
        HomeDevice(settings: settings, partition: partition, version: version)
    }

    // MARK: From the broker

    private func handle(_ event: BrokerEvents.Event) async {
        switch event {
        case .connected: await connected()
        case .refused(let reason): notice("The MQTT broker \(settings.host) refuses Segue: \(reason)")
        case .lost(let reason): if let reason { notice("The MQTT broker \(settings.host) is away: \(reason)") }
        case .message(let topic, let text): await handle(topic, text)
        }
    }

    /// Says it once, until the broker is back, and not more than once a minute.
    private func notice(_ text: String) {
        log.log(level: notices.isWorthSaying(troubleAt: .now) ? .warning : .debug, "\(text)")
    }

    private func connected() async {
        isConnected = true
        log.log(
            level: notices.isConnectionWorthSaying() ? .info : .debug, "connected to the MQTT broker",
            metadata: ["host": "\(settings.host)"])
        connection?.subscribe(settings.topic + "/+/set/+")
        await announce()
        for partition in watch.partitions {
            if let text = states[partition.name] { connection?.publish(text, to: device(partition.name).stateTopic) }
        }
        connection?.publish("online", to: settings.availability)
    }

    private func handle(_ topic: String, _ text: String) async {
        for partition in watch.partitions {
            guard let key = device(partition.name).key(of: topic) else { continue }
            return await carryOut(key, text, in: partition, topic)
        }
    }

    private func carryOut(_ key: String, _ text: String, in partition: Partition, _ topic: String) async {
        if key == "playlist" {
            guard let reason = await playlists.play(text, partition) else { return }
            log.warning("\"\(text)\" can't be played: \(reason)")
        } else if let command = Self.command(key, text) {
            partition.player.run(command)
        } else {
            log.notice("ignoring an unknown MQTT message", metadata: ["topic": "\(topic)"])
        }
    }

    /// The command that a message asks for; nil when there is none.
    nonisolated static func command(_ key: String, _ text: String) -> MediaCommand? {
        switch (key, text.lowercased()) {
        case ("player", "play"): .play
        case ("player", "pause"): .pause
        case ("player", "toggle"): .playPause
        case ("player", "stop"): .stop
        case ("player", "next"): .next
        case ("player", "previous"): .previous
        case ("random", "on"): .setRandom(true)
        case ("random", "off"): .setRandom(false)
        case ("volume", let number): volume(number).map { .setVolume($0) }
        default: nil
        }
    }

    private nonisolated static func volume(_ text: String) -> Int? {
        guard let number = Double(text), number.isFinite else { return nil }
        return Int(min(max(number, 0), 100).rounded())
    }
}
