/// The part of a song's tags that a Navidrome reads in its file and tells by its own API alone.
///
/// Nil stands for what the file does not have.
package struct NavidromeDetails: Hashable, Sendable {
    /// With the fraction that the Subsonic API cuts off.
    package var duration: Duration?
    /// When it was recorded, if the file tells; see `fileDate`.
    package var date: String?
    /// When the work came out first.
    package var originalDate: String?
    /// When this release came out.
    package var releaseDate: String?
    /// As the tagger wrote it.
    package var titleSort: String?
    /// As the tagger wrote it.
    package var albumSort: String?
    /// That of the first artist, as the tagger wrote it.
    package var artistSort: String?
    /// That of the first album artist, as the tagger wrote it.
    package var albumArtistSort: String?
    /// The MusicBrainz id of the track on the release.
    package var releaseTrackID: String?
    /// The MusicBrainz id of the release group.
    package var releaseGroupID: String?
    /// When the file changed, in Unix seconds.
    package var modified: Int64?

    /// Knows nothing.
    package init() {}

    /// The date that stands in the file.
    ///
    /// A file with a date and an earlier original one has the former as its release's to Navidrome, and the latter as
    /// its date.
    ///
    /// - Source: Navidrome 0.63 model/metadata/map_mediafile.go, `mapDates`.
    package var fileDate: String? { date == originalDate ? releaseDate ?? date : date }
}

extension JSONReader {
    /// The text of a tag, of which more than a sort name or a date could have is left out.
    mutating func tag() throws(JSONProblem) -> String? {
        guard let text = TagText.clean(try nonEmptyText()) else { return nil }
        return text.utf8.count <= 1000 ? text : nil
    }
}
