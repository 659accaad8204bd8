/// What the server knows of a song that its user did with it.
public struct ServerSongMarks: Hashable, Sendable {
    /// The server's id of the song.
    public var serverID: String
    /// When it was starred, in Unix milliseconds; 0 is not starred.
    public var starred: Int64
    /// 1 to 5; 0 is not rated.
    public var rating: Int
    /// How often it was played.
    public var plays: Int
    /// When it was played last, in Unix seconds; 0 is never.
    public var played: Int64

    /// Collects the values; the defaults are those of a song that nobody touched.
    public init(serverID: String, starred: Int64 = 0, rating: Int = 0, plays: Int = 0, played: Int64 = 0) {
        self.serverID = serverID
        self.starred = starred
        self.rating = rating
        self.plays = plays
        self.played = played
    }

    /// Whether nobody did anything with the song.
    public var isEmpty: Bool { starred == 0 && rating == 0 && plays == 0 && played == 0 }
}
