import MusicModel

/// Which of GStreamer's tags is which of ours.
enum TagMapping {
    private static let texts: [(name: String, tag: Tag)] = [
        ("artist", .artist), ("artist-sortname", .artistSort), ("musicbrainz-sortname", .artistSort), ("album", .album),
        ("album-sortname", .albumSort), ("album-artist", .albumArtist), ("album-artist-sortname", .albumArtistSort),
        ("title", .title), ("title-sortname", .titleSort), ("genre", .genre), ("composer", .composer),
        ("composer-sortname", .composerSort), ("performer", .performer), ("conductor", .conductor),
        ("grouping", .grouping), ("comment", .comment), ("geo-location-name", .location),
        // Vorbis comments have both; MPD takes either for a comment.
        ("description", .comment),
        ("organization", .label), ("publisher", .label), ("musicbrainz-artistid", .musicBrainzArtistID),
        ("musicbrainz-albumid", .musicBrainzAlbumID), ("musicbrainz-albumartistid", .musicBrainzAlbumArtistID),
        ("musicbrainz-trackid", .musicBrainzTrackID), ("musicbrainz-releasetrackid", .musicBrainzReleaseTrackID),
        ("musicbrainz-releasegroupid", .musicBrainzReleaseGroupID), ("mood", .mood),
    ]

    /// Comments that GStreamer has no tag for, by their names in Vorbis comments, ID3's TXXX and APE.
    private static let comments: [String: Tag] = [
        "ORIGINALDATE": .originalDate, "ORIGINALYEAR": .originalDate, "ORIGINAL YEAR": .originalDate,
        "TDOR": .originalDate, "DISCSUBTITLE": .discSubtitle, "LABEL": .label, "MOOD": .mood, "WORK": .work,
        "MOVEMENT": .movementNumber, "MOVEMENTNAME": .movement, "MOVEMENTNUMBER": .movementNumber,
        "SHOWMOVEMENT": .showMovement, "ENSEMBLE": .ensemble, "LOCATION": .location, "CONDUCTOR": .conductor,
        "COMPOSER": .composer, "COMPOSERSORT": .composerSort, "PERFORMER": .performer, "GROUPING": .grouping,
        "CONTENTGROUP": .grouping, "ARTISTSORT": .artistSort, "ALBUMSORT": .albumSort, "ALBUMARTIST": .albumArtist,
        "ALBUM ARTIST": .albumArtist, "ALBUMARTISTSORT": .albumArtistSort, "TITLESORT": .titleSort,
        "MUSICBRAINZ_ARTISTID": .musicBrainzArtistID, "MUSICBRAINZ_ALBUMID": .musicBrainzAlbumID,
        "MUSICBRAINZ_ALBUMARTISTID": .musicBrainzAlbumArtistID, "MUSICBRAINZ_TRACKID": .musicBrainzTrackID,
        "MUSICBRAINZ_RELEASETRACKID": .musicBrainzReleaseTrackID, "MUSICBRAINZ_WORKID": .musicBrainzWorkID,
        "MUSICBRAINZ_RELEASEGROUPID": .musicBrainzReleaseGroupID,
        "MUSICBRAINZ RELEASE TRACK ID": .musicBrainzReleaseTrackID,
        "MUSICBRAINZ RELEASE GROUP ID": .musicBrainzReleaseGroupID, "MUSICBRAINZ WORK ID": .musicBrainzWorkID,
        "MUSICBRAINZ ARTIST ID": .musicBrainzArtistID, "MUSICBRAINZ ALBUM ID": .musicBrainzAlbumID,
        "MUSICBRAINZ ALBUM ARTIST ID": .musicBrainzAlbumArtistID,
    ]

    /// Frames of ID3 that hold more than GStreamer takes from them.
    static let id3Frames = Set(id3Texts.keys).union(["TXXX", "TDAT", "TDRC", "TYER", "TCON"])
    private static let id3Texts: [String: Tag] = [
        "TSO2": .albumArtistSort, "TSST": .discSubtitle, "TDOR": .originalDate, "TORY": .originalDate,
        "TPE4": .performer, "TMOO": .mood, "TIT1": .grouping,
    ]

    /// The names of an APE tag in upper case: those of MPD's tags, and those of other formats.
    /// - Source: MPD's manual; the further ones are those of MusicBrainz Picard's table of mappings.
    private static let apeNames: [String: Tag] = comments.merging(
        Tag.allCases.map { ($0.wireName.description.uppercased(), $0) } + [("YEAR", Tag.date)]
    ) { _, own in own }

    /// The names of comments in FLAC, Ogg and Matroska, and of iTunes' tags as `MP4Comments` has them.
    private static let commentNames = apeNames.merging([
        "TRACKNUMBER": .track, "PART_NUMBER": .track, "DISCNUMBER": .disc, "DESCRIPTION": .comment, "PUBLISHER": .label,
        "ORGANIZATION": .label, "ALBUM_ARTIST": .albumArtist, "DATE_RELEASED": .date, "DATE_RECORDED": .date,
    ]) { own, _ in own }.merging(["MOVEMENT": .movementNumber, "MOVEMENTNAME": .movement]) { $1 }

    private static let asfNames: [String: Tag] = [
        "TITLE": .title, "AUTHOR": .artist, "DESCRIPTION": .comment, "WM/ALBUMTITLE": .album,
        "WM/ALBUMARTIST": .albumArtist, "WM/GENRE": .genre, "WM/COMPOSER": .composer, "WM/TRACKNUMBER": .track,
        "WM/PARTOFSET": .disc, "WM/YEAR": .date, "DATE": .date, "WM/CONDUCTOR": .conductor, "WM/PUBLISHER": .label,
        "WM/MOOD": .mood, "WM/CONTENTGROUPDESCRIPTION": .grouping, "WM/ORIGINALRELEASETIME": .originalDate,
        "WM/ORIGINALRELEASEYEAR": .originalDate, "WM/ARTISTSORTORDER": .artistSort, "WM/ALBUMSORTORDER": .albumSort,
        "WM/ALBUMARTISTSORTORDER": .albumArtistSort, "WM/TITLESORTORDER": .titleSort,
        "WM/COMPOSERSORTORDER": .composerSort, "WM/SETSUBTITLE": .discSubtitle,
        "MUSICBRAINZ/ARTIST ID": .musicBrainzArtistID, "MUSICBRAINZ/ALBUM ID": .musicBrainzAlbumID,
        "MUSICBRAINZ/ALBUM ARTIST ID": .musicBrainzAlbumArtistID, "MUSICBRAINZ/TRACK ID": .musicBrainzTrackID,
        "MUSICBRAINZ/RELEASE TRACK ID": .musicBrainzReleaseTrackID,
        "MUSICBRAINZ/RELEASE GROUP ID": .musicBrainzReleaseGroupID, "MUSICBRAINZ/WORK ID": .musicBrainzWorkID,
    ]

    /// All values that the list holds, and what the file's own tags have besides, in the order of `Tag`. The tag that
    /// is the format's own is the only one in FLAC, Ogg and ASF. An ID3 tag goes before an APE tag in the same file,
    /// which only adds what is missing; elsewhere the APE tag is the format's own, and GStreamer has only a part of it.
    static func values(_ tags: TagReader, _ own: OwnTags) -> [TagValue] {
        if let vorbis = own.vorbis { return inOrder(values(vorbis.items, commentNames)) }
        if let asf = own.asf { return inOrder(values(asf.items, asfNames)) }
        var found = values(tags)
        if let matroska = own.matroska {
            // GStreamer often takes one tag for another.
            found = values(matroska.items, commentNames)
        }
        let (id3, ape, mp4) = (own.id3, own.ape, own.mp4)
        if let mp4 { found = replaced(found, by: values(mp4.texts, commentNames)) }
        if let mp4 { found = found.extended(by: values(mp4.items, comments)) }
        if let id3 { found = values(dated(found, id3), id3) }
        guard let ape else { return inOrder(found) }
        let known = id3 == nil ? [] : Set(found.map(\.tag))
        let more = values(of: ape).filter { !known.contains($0.tag) }
        return inOrder(replaced(found, by: more))
    }

    /// The values, of whose tags those of the others count that have some.
    private static func replaced(_ found: [TagValue], by others: [TagValue]) -> [TagValue] {
        let tags = Set(others.map(\.tag))
        return found.filter { !tags.contains($0.tag) } + others
    }

    private static func values(_ items: [(name: String, value: String)], _ names: [String: Tag]) -> [TagValue] {
        items.compactMap { item in
            guard let tag = names[item.name], let value = TagReader.clean(item.value) else { return nil }
            return TagValue(tag, tag == .track || tag == .disc ? APETag.number(value) : value)
        }
    }

    static func values(of ape: APETag) -> [TagValue] {
        // Picard writes a movement's number where MPD has its name.
        let isNumber = ape.items.contains { $0.name == "MOVEMENTNAME" }
        return values(ape.items, isNumber ? apeNames.merging(["MOVEMENT": .movementNumber]) { $1 } : apeNames)
    }

    private static func values(_ found: [TagValue], _ id3: ID3Tag) -> [TagValue] {
        var more = id3.frames.flatMap { frame -> [TagValue] in
            let texts = frame.texts
            if frame.name == "TCON" { return texts.flatMap(ID3Genre.names).map { TagValue(.genre, $0) } }
            let own = id3Texts[frame.name]
            guard let tag = own ?? comments[texts.first?.uppercased() ?? ""] else { return [] }
            return texts.dropFirst(own == nil ? 1 : 0).compactMap(TagReader.clean).map { TagValue(tag, $0) }
        }
        let genres = more.filter { $0.tag == .genre }
        more.removeAll { $0.tag == .genre }
        return replaced(found, by: genres).extended(by: more)
    }

    /// The values with the day and the month that older ID3 tags have apart from the year.
    private static func dated(_ found: [TagValue], _ id3: ID3Tag) -> [TagValue] {
        func text(_ name: String) -> String? {
            id3.frames.first { $0.name == name }?.texts.first.flatMap(TagReader.clean)
        }
        // GStreamer takes no other dates than those in ISO's form.
        if let date = text("TDRC") ?? text("TYER"), date.utf8.count != 4 || !found.contains(where: { $0.tag == .date })
        {
            return replaced(found, by: [TagValue(.date, date)])
        }
        guard let offset = found.firstIndex(where: { $0.tag == .date }), found[offset].value.utf8.count == 4,
            let text = id3.frames.first(where: { $0.name == "TDAT" })?.texts.first, text.utf8.count == 4,
            let day = UInt8(text.prefix(2)), let month = UInt8(text.suffix(2)), (1...31).contains(day),
            (1...12).contains(month)
        else { return found }
        var found = found
        found[offset] = TagValue(.date, "\(found[offset].value)-\(text.suffix(2))-\(text.prefix(2))")
        return found
    }

    static func values(_ tags: TagReader) -> [TagValue] {
        var values: [TagValue] = []
        for (name, tag) in texts { values += tags.strings(name).map { TagValue(tag, $0) } }
        if let number = tags.unsigned("track-number"), number > 0 { values.append(TagValue(.track, String(number))) }
        if let number = tags.unsigned("album-disc-number"), number > 0 {
            values.append(TagValue(.disc, String(number)))
        }
        if let date = tags.date { values.append(TagValue(.date, date)) }
        let known = Set(values.map(\.tag))
        for (name, value) in tags.extended {
            guard let tag = comments[name], !known.contains(tag) || tag == .label || tag == .performer else { continue }
            values.append(TagValue(tag, value))
        }
        return inOrder(values)
    }

    /// Groups by tag, keeps the file's order within one, and discards repeats.
    private static func inOrder(_ values: [TagValue]) -> [TagValue] {
        var seen: Set<TagValue> = []
        var unique = values.filter { seen.insert($0).inserted }
        // Some programs also write the year alone.
        let dates = unique.filter { $0.tag == .originalDate }
        if let longest = dates.max(by: { $0.value.utf8.count < $1.value.utf8.count }) {
            unique.removeAll { $0.tag == .originalDate && $0 != longest }
        }
        return Tag.allCases.flatMap { tag in unique.filter { $0.tag == tag } }
    }
}

extension [TagValue] {
    /// These values, and others of tags that they lack, or of which they have only a part: GStreamer takes the first
    /// text of a frame, and the first frame of a name.
    fileprivate func extended(by others: [TagValue]) -> [TagValue] {
        let more = Dictionary(grouping: others, by: \.tag)
        let taken = more.filter { tag, values in allSatisfy { $0.tag != tag || values.contains($0) } }
        return filter { taken[$0.tag] == nil } + taken.values.flatMap(\.self)
    }
}
