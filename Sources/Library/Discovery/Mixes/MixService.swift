import Coordination
import Foundation
import LibraryIndex
package import Logging
package import MusicModel
import Synchronization
package import UserLibrary

/// Keeps discovery's playlists among the virtual ones: made off the event loop, the same until midnight.
///
/// - Isolation: its own actor.
package actor MixService {
    /// The song that plays, as its follower hears of it; the newest one counts.
    private struct Wishes {
        var song: SongID?
        var isNew = false
    }

    /// A library that grew or shrank by a tenth has other playlists at once.
    private static let changeThatCounts = 10

    private let library: Library
    private let groups: Set<MixGroup>
    private let rules: PickRules
    private let except: SongFilter?
    private let log: Logger
    private let changed: @Sendable () async -> Void
    private nonisolated let alarm = Alarm()
    private nonisolated let wishes = Mutex(Wishes())
    private var maker: (maker: MixMaker, day: Int64)?
    private var shown: (day: [Mix], similar: [Mix]) = ([], [])

    /// Makes the service; there is no playlist before `run`.
    ///
    /// - Parameters:
    ///   - except: songs that are left out always.
    ///   - changed: called when clients see other playlists.
    package init(
        _ library: Library, groups: Set<MixGroup>, rules: PickRules, except: SongFilter?, log: Logger,
        changed: @escaping @Sendable () async -> Void
    ) {
        self.library = library
        self.groups = groups
        self.rules = rules
        self.except = except
        self.log = log
        self.changed = changed
    }

    /// Whether some playlists follow the song that plays.
    package nonisolated var followsCurrentSong: Bool { groups.contains(.similar) }

    /// Takes in that another song plays; nil is none.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func follow(_ song: SongID) {
        wishes.withLock { wishes in
            guard wishes.song != song else { return }
            wishes = Wishes(song: song, isNew: true)
        }
        alarm.ring()
    }

    /// Takes in that the library changed.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func libraryChanged() { alarm.ring() }

    /// Makes playlists each day, and when the library or the song changes, until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do { try await look() } catch {
                log.error("discovery's playlists can't be made: \(error)")
            }
            await alarm.wait(atMost: Self.untilMidnight)
        }
    }

    private func look() async throws {
        let day = Self.day
        let known = maker.flatMap { $0.day == day ? $0.maker : nil }
        let catalogue = try await SongCatalogue.read(library, unless: known?.catalogue)
        var isChanged = false
        if known == nil || catalogue.map({ isOther($0, known?.catalogue) }) ?? false {
            let present = catalogue ?? known?.catalogue ?? SongCatalogue([])
            let sound = try await SoundSpace.read(library, of: present, unless: nil)?.space ?? SoundSpace()
            let maker = MixMaker(
                present, try await Listening.read(library, of: present), sound, rules: rules,
                excluded: try await exceptions(),
                day: day, now: UnixTime.seconds)
            self.maker = (maker, day)
            isChanged = show(maker.day(groups), \.day)
        }
        let wish = wishes.withLock { wishes in
            defer { wishes.isNew = false }
            return wishes
        }
        if wish.isNew || isChanged, let song = wish.song, followsCurrentSong, let maker {
            isChanged = show(maker.maker.similar(to: song), \.similar) || isChanged
        }
        if isChanged { await changed() }
    }

    private func isOther(_ catalogue: SongCatalogue, _ known: SongCatalogue?) -> Bool {
        guard let known else { return true }
        return abs(catalogue.count - known.count) * Self.changeThatCounts > max(known.count, 1)
    }

    private func exceptions() async throws -> Set<SongID> {
        guard let except else { return [] }
        return Set(try await library.index.findQueueable(SongQuery(except)).map(\.id))
    }

    /// The names of the playlists that clients see, in their order.
    package var names: [String] { (shown.day + shown.similar).map(\.name) }

    /// Shows these playlists in place of those that were shown.
    private func show(_ mixes: [Mix], _ part: WritableKeyPath<(day: [Mix], similar: [Mix]), [Mix]>) -> Bool {
        let old = shown[keyPath: part]
        guard mixes != old else { return false }
        shown[keyPath: part] = mixes
        let names = Set(mixes.map(\.name))
        for gone in old where !names.contains(gone.name) { library.virtualPlaylists.remove(gone.name) }
        let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let now = UnixTime.seconds
        for mix in mixes where before[mix.name] != mix {
            let items = mix.songs.map { QueueItem.song($0) }
            library.virtualPlaylists.add(VirtualPlaylist(mix.name, modified: { now }, items: { items }))
        }
        return true
    }

    // MARK: Days

    /// The number of the day where the listener is.
    private static var day: Int64 {
        let present = Date()
        let zone = TimeZone.current.secondsFromGMT(for: present)
        return Int64(((present.timeIntervalSince1970 + Double(zone)) / 86_400).rounded(.down))
    }

    private static var untilMidnight: Duration {
        let present = Date()
        let zone = TimeZone.current.secondsFromGMT(for: present)
        let past = (present.timeIntervalSince1970 + Double(zone)).truncatingRemainder(dividingBy: 86_400)
        return .seconds(86_401 - past)
    }
}
