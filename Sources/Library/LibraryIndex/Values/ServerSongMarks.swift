/// The marks that the server has of a song: star, rating and plays of its user.
package struct ServerSongMarks: Hashable, Sendable {
    /// The server's id of the song.
    package var serverID: String
    /// When it was starred, in Unix milliseconds; 0 is not starred.
    package var starred: Int64
    /// 1 to 5; 0 is not rated.
    package var rating: Int
    /// How often it was played.
    package var plays: Int
    /// When it was played last, in Unix seconds; 0 is never.
    package var played: Int64

    /// Collects the values; the defaults are those of an untouched song.
    package init(serverID: String, starred: Int64 = 0, rating: Int = 0, plays: Int = 0, played: Int64 = 0) {
        (self.serverID, self.starred, self.rating) = (serverID, starred, rating)
        (self.plays, self.played) = (plays, played)
    }

    /// True if the song is untouched.
    package var isEmpty: Bool { starred == 0 && rating == 0 && plays == 0 && played == 0 }
}
