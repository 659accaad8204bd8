import Coordination
import Foundation
import LibraryIndex
package import Logging
package import MusicModel
import Synchronization
package import UserLibrary

/// Keeps discovery's playlists among the virtual ones: made off the event loop, the same all day and over restarts.
package actor MixService {
    /// A library that grew or shrank by a tenth has other playlists at once.
    private static let changeThatCounts = 10

    private let library: Library
    private let groups: Set<MixGroup>
    private let rules: PickRules
    private let except: SongFilter?
    private let likeness: ServerLikeness?
    private let log: Logger
    private let changed: @Sendable () async -> Void
    private nonisolated let alarm = Alarm()
    private nonisolated let wishes: Mutex<(song: SongID?, isNew: Bool)> = Mutex((nil, false))
    private var latest: SongCatalogue?
    private var sound: (space: SoundSpace, stamp: SoundSpace.Stamp)?
    private var excluded: (generation: Int64, songs: Set<SongID>)?
    private var maker: (maker: MixMaker, day: Int64, part: Int64)?
    private var shown: (day: [Mix], similar: [Mix]) = ([], [])
    private var saved: SavedMixes?

    /// Makes the service. Songs of `except` are always left out; `changed` is called when clients see other playlists.
    package init(
        _ library: Library, groups: Set<MixGroup>, rules: PickRules, except: SongFilter?, likeness: ServerLikeness?,
        log: Logger, changed: @escaping @Sendable () async -> Void
    ) {
        (self.library, self.groups, self.rules, self.except) = (library, groups, rules, except)
        (self.likeness, self.log, self.changed) = (likeness, log, changed)
    }

    /// True if some playlists follow the song that plays.
    package nonisolated var followsCurrentSong: Bool { !groups.isDisjoint(with: [.similar, .dj]) }

    /// Takes in that another song plays; nil is none.
    package nonisolated func follow(_ song: SongID) {
        wishes.withLock { wishes in
            guard wishes.song != song else { return }
            wishes = (song, true)
        }
        alarm.ring()
    }

    /// Takes in that the library changed.
    package nonisolated func libraryChanged() { alarm.ring() }

    /// Makes playlists each day, and when the library or the song changes, until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do { try await refresh() } catch { log.error("discovery's playlists can't be made: \(chain: error)") }
            await alarm.wait(atMost: untilOther)
        }
    }

    private func refresh() async throws {
        let (present, zone) = Self.clock
        let (day, part) = (present / 86_400, groups.contains(.now) ? MixFacts.partBegin(present) : 0)
        let known = maker.flatMap { $0.day == day ? $0.maker : nil }
        if let newer = try await SongCatalogue.read(library, unless: latest) { latest = newer }
        let catalogue = latest ?? SongCatalogue([])
        var (isChanged, isMade) = (false, false)
        if known.map({ isOther(catalogue.count, $0.catalogue.count) }) ?? true {
            var maker = try await currentMaker(catalogue, day)
            maker.facts = try await MixFacts.read(library, of: catalogue, groups, seconds: present, zone: zone)
            let saved = try await known == nil ? savedMixes(of: day, maker) : nil
            self.maker = (maker, day, saved?.part ?? part)
            isChanged = show(saved?.mixes ?? maker.day(groups), \.day)
            isMade = true
        }
        if let known = maker, known.part != part {
            // The day's other playlists stay as they are.
            var newer = known.maker
            newer.facts = try await MixFacts.read(library, of: newer.catalogue, groups, seconds: present, zone: zone)
            maker = (newer, day, part)
            let others = shown.day.filter { $0.name != MixMaker.rightNowName }
            isChanged = show(others + [newer.rightNow()].compactMap { $0 }, \.day) || isChanged
        }
        let wish = wishes.withLock { wishes in
            defer { wishes.isNew = false }
            return wishes
        }
        if wish.isNew || isMade, followsCurrentSong {
            // Songs that were heard, rated or measured since the morning count as such.
            let following = await following(wish.song, try await currentMaker(catalogue, day))
            isChanged = show(following, \.similar) || isChanged
        }
        if isChanged { await changed() }
        try await saveDay()
    }

    private func currentMaker(_ catalogue: SongCatalogue, _ day: Int64) async throws -> MixMaker {
        if let newer = try await SoundSpace.read(library, of: catalogue, unless: sound?.stamp) { sound = newer }
        return MixMaker(
            catalogue, try await Listening.read(library, of: catalogue), sound?.space ?? SoundSpace(), rules: rules,
            excluded: try await exceptions(catalogue.generation), day: day, now: UnixTime.seconds)
    }

    private func following(_ song: SongID?, _ maker: MixMaker) async -> [Mix] {
        var related: [SongID: Float] = [:]
        if let song, let likeness {
            related = await likeness.related(to: [song]) { [weak self] in self?.refreshAgain() }
        }
        var mixes: [Mix] = []
        if groups.contains(.similar), let song { mixes = maker.similar(to: song, related: related) }
        if groups.contains(.dj) {
            mixes += [maker.autoDJ(from: song, related: related, rules: rules)].compactMap { $0 }
        }
        return mixes
    }

    private nonisolated func refreshAgain() {
        wishes.withLock { $0.isNew = true }
        alarm.ring()
    }

    private func isOther(_ count: Int, _ known: Int) -> Bool {
        abs(count.subtractingClamped(known)).multipliedClamped(by: Self.changeThatCounts) > max(known, 1)
    }

    private func exceptions(_ generation: Int64) async throws -> Set<SongID> {
        guard let except else { return [] }
        if let excluded, excluded.generation == generation { return excluded.songs }
        let songs = Set(try await library.index.findQueueable(SongQuery(except)).map(\.id))
        excluded = (generation, songs)
        return songs
    }

    /// The names of the playlists that clients see, in their order.
    package var names: [String] { (shown.day + shown.similar).map(\.name) }

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

    /// The day's playlists as an earlier run made them, without songs that the configuration leaves out by now; nil
    /// where they have to be made: on another day, for other groups, or as the library is another one.
    private func savedMixes(of day: Int64, _ maker: MixMaker) async throws -> (mixes: [Mix], part: Int64)? {
        guard let saved = try await library.savedMixes(), saved.day == day, saved.families == families,
            !isOther(maker.catalogue.count, saved.songs)
        else { return nil }
        self.saved = saved
        let mixes = saved.mixes.map { mix in
            Mix(name: mix.name, songs: mix.songs.filter { !maker.excluded.contains($0) })
        }
        return (mixes.filter { $0.songs.count >= MixMaker.minSongs }, saved.part)
    }

    private func saveDay() async throws {
        guard let maker else { return }
        var present = SavedMixes(
            day: maker.day, part: maker.part, families: families, songs: maker.maker.catalogue.count)
        present.mixes = shown.day.map { .init(name: $0.name, songs: $0.songs) }
        guard present != saved else { return }
        try await library.save(present)
        saved = present
    }

    private var families: [String] { groups.map(\.rawValue).sorted() }

    /// The listener's clock in seconds since 1970, and by how many it goes before that of the world.
    private static var clock: (seconds: Int64, zone: Int64) {
        let present = Date()
        let zone = TimeZone.current.secondsFromGMT(for: present)
        let seconds = Int64(saturating: (present.timeIntervalSince1970 + Double(zone)).rounded(.down))
        return (min(max(seconds, 0), 1 << 40), Int64(zone))
    }

    private var untilOther: Duration {
        let seconds = Self.clock.seconds
        let rest = groups.contains(.now) ? MixFacts.untilNextPart(seconds) : 86_400 - seconds % 86_400
        return .seconds(rest + 1)
    }
}
