import Discovery
import LibraryIndex
import MusicModel
import UserLibrary

/// Picks songs off the event loop; keeps what it needs of the library while an auto-DJ is on.
actor PickService {
    private let library: Library
    private let settings: DJSettings
    private let likeness: ServerLikeness?
    private let reader: (any WishReading)?
    private let presence: SongPresence?
    private var catalogue: SongCatalogue?
    private var sound: (space: SoundSpace, stamp: SoundSpace.Stamp)?
    private var excluded: (generation: Int64, songs: Set<SongID>)?

    init(
        _ library: Library, _ settings: DJSettings, _ likeness: ServerLikeness?, _ reader: (any WishReading)?,
        _ presence: SongPresence?
    ) {
        self.presence = presence
        self.likeness = likeness
        self.reader = reader
        self.library = library
        self.settings = settings
    }

    /// The result of a request, with the songs as the queue wants them and the sentences that say why.
    struct Answer: Sendable {
        var picks: [(song: QueueableSong, why: String, title: String)] = []
        var isOtherMode = false
        var allowed = 0
        var unmet: [PickWish.Part] = []
    }

    func pick(_ count: Int, _ request: PickRequest, adventure: Double) async throws -> Answer {
        let catalogue = try await present()
        let listening = try await Listening.read(library, of: catalogue)
        var request = request
        request.excluded = try await exceptions(catalogue.generation)
        if let likeness { request.related = await likeness.related(to: Array(request.anchors.keys)) }
        if let presence, presence.isServerAway() { request.present = try await presence.songs() }
        var rules = settings.rules
        rules.adventure = adventure
        if let newer = try await SoundSpace.read(library, of: catalogue, unless: sound?.stamp) { sound = newer }
        var picker = Picker(catalogue, listening, sound?.space ?? SoundSpace(), rules: rules)
        let result = picker.pick(count, request)
        var answer = Answer(isOtherMode: result.isOtherMode, allowed: result.allowed, unmet: result.unmet)
        let songs = try await library.index.queueable(result.picks.map(\.song))
        let titles = try await titles(of: result.picks.flatMap { [$0.song, $0.reason.seed].compactMap { $0 } })
        for pick in result.picks {
            guard let song = songs[pick.song] else { continue }
            let why = pick.reason.sentence(seedTitle: pick.reason.seed.flatMap { titles[$0] })
            answer.picks.append((song, why, titles[pick.song] ?? "a song"))
        }
        return answer
    }

    func wish(_ text: String) async throws -> ReadWish {
        try await ReadWish(text, try await present().vocabulary, by: reader)
    }

    /// True if some of these songs can't be heard before the server is back.
    func lacks(_ songs: [SongID]) async throws -> Bool {
        guard let presence, presence.isServerAway(), !songs.isEmpty else { return false }
        return try await !presence.songs().isSuperset(of: songs)
    }

    func forget() { (catalogue, sound, excluded) = (nil, nil, nil) }

    /// The titles of songs; the file's name stands in for a missing one.
    func titles(of songs: [SongID]) async throws -> [SongID: String] {
        let known = try await library.index.songs(songs)
        var titles: [SongID: String] = [:]
        for (id, song) in zip(songs, known) {
            guard let song else { continue }
            titles[id] = song.first(.title) ?? String(song.uri.pathName)
        }
        return titles
    }

    private func present() async throws -> SongCatalogue {
        if let newer = try await SongCatalogue.read(library, unless: catalogue) { catalogue = newer }
        return catalogue ?? SongCatalogue([])
    }

    private func exceptions(_ generation: Int64) async throws -> Set<SongID> {
        guard let filter = settings.except else { return [] }
        if let excluded, excluded.generation == generation { return excluded.songs }
        let songs = Set(try await library.index.findQueueable(SongQuery(filter)).map(\.id))
        excluded = (generation, songs)
        return songs
    }
}
