import GRDB
import LibraryIndex
import MusicModel

/// Writes stickers for a client inside a transaction, and notes what of it the server has to hear.
struct MarkWriter {
    private let database: Database
    private let stickers: StickerStore
    private let now: Int64
    private(set) var hasWork = false

    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        stickers = StickerStore(database)
    }

    mutating func set(_ name: String, of object: StickerObject, to value: String) throws -> StickerChange? {
        if name == MarkConvention.plays, try counting.absorbs(value, as: .total, of: object) { return nil }
        return try noted(try stickers.set(name, of: object, to: MarkConvention.bounded(name, value)))
    }

    mutating func count(_ name: String, of object: StickerObject, _ step: StickerStep, by amount: String) throws
        -> StickerChange?
    {
        if name == MarkConvention.plays, step == .up, try counting.absorbs(amount, as: .more, of: object) { return nil }
        guard var change = try stickers.count(name, of: object, step, by: amount) else { return nil }
        if let counted = change.newValue {
            let value = MarkConvention.bounded(name, counted)
            if value != counted { _ = try stickers.set(name, of: object, to: value) }
            change.newValue = value
        }
        return change.newValue == change.oldValue ? nil : try noted(change)
    }

    mutating func delete(_ name: String, of object: StickerObject) throws -> StickerChange? {
        try noted(try stickers.delete(name, of: object))
    }

    mutating func deleteAll(of object: StickerObject) throws -> [StickerChange] {
        let changes = try stickers.deleteAll(of: object)
        for change in changes { _ = try noted(change) }
        return changes
    }

    /// Stars or rates one album; false where it has that already.
    mutating func apply(_ change: AlbumMarkChange) throws -> Bool {
        guard let (field, meaning) = MarkConvention.edit(change.sticker, change.value) else { return false }
        let albums = AlbumMarkStore(database)
        let common = StickerObject.tag(.album, change.title)
        var values = try albums.values(field, titled: change.title)
        let before = values.isEmpty ? try stickers.value(change.sticker, of: common) : values[ExactText(change.artist)]
        if (before ?? "").utf8.elementsEqual((change.value ?? "").utf8) { return false }
        if values.isEmpty, let before {
            for artist in change.others {
                values[ExactText(artist)] = before
                try albums.set(field, of: change.title, by: artist, to: before)
            }
        }
        values[ExactText(change.artist)] = change.value ?? ""
        try albums.set(field, of: change.title, by: change.artist, to: change.value)
        _ = try stickers.replace(change.sticker, of: common, by: MarkConvention.best(values.values))
        let catalog = CatalogMarkStore(database, now: now)
        for id in try catalog.albums(change.title, by: change.others.isEmpty ? nil : change.artist) {
            try note(field, meaning, try catalog.expected(field, .album, id), MarkTarget(.album, id))
        }
        return true
    }

    private var counting: PlayCounting { PlayCounting(database, now: now) }

    private mutating func noted(_ change: StickerChange?) throws -> StickerChange? {
        guard let change, let (field, value) = MarkConvention.edit(change.name, change.newValue) else { return change }
        switch change.object {
        case .song(let id):
            let songs = SongMarkStore(database, now: now)
            guard let serverID = try songs.serverID(id.rawValue) else { return change }
            let base = try songs.base(id.rawValue, serverID)?.marks.value(field)
            try note(field, value, base, MarkTarget(song: id.rawValue))
        case .tag(let tag, let name):
            guard let kind = CatalogMarkStore.kind(of: tag) else { return change }
            let catalog = CatalogMarkStore(database, now: now)
            let ids = try catalog.ids(kind, named: name)
            if kind == .album { try AlbumMarkStore(database).clear(change.name, titled: name) }
            for id in ids { try note(field, value, try catalog.expected(field, kind, id), MarkTarget(kind, id)) }
            if !ids.isEmpty { try mirror(change, tag, name, kind) }
        case .playlist, .filter: break
        }
        return change
    }

    private mutating func note(_ field: MarkEdit.Field, _ value: Int, _ base: Int?, _ target: MarkTarget) throws {
        let edits = MarkEditStore(database)
        let waiting = try edits.edit(target, field.rawValue).flatMap { $0.state == .done ? nil : $0 }
        if waiting?.value ?? base == value { return }
        let isUnderWay = waiting?.state == .sent || waiting?.state == .shadowed
        try edits.put(target, field.rawValue, value: value, edited: now, state: isUnderWay ? .shadowed : .waiting)
        hasWork = true
    }

    /// An artist is the same whether it is named as the artist of songs or of albums.
    private func mirror(_ change: StickerChange, _ tag: Tag, _ name: String, _ kind: MarkedKind) throws {
        for twin in CatalogMarkStore.tags(of: kind) where twin != tag {
            _ = try stickers.replace(change.name, of: .tag(twin, name), by: change.newValue)
        }
    }
}
