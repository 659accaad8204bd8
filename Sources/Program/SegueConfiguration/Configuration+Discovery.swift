extension Configuration {
    /// The `[discovery]` section.
    public struct Discovery: Hashable, Sendable {
        /// Playlists that are switched on together.
        public enum Playlists: String, CaseIterable, Hashable, Sendable {
            case similar, daily, memories, new, genre, decade, mood
        }

        /// Which songs are measured.
        public enum Analysis: String, CaseIterable, Hashable, Sendable {
            case off, heard, library
        }

        /// Which songs are measured.
        public var analysis = Analysis.off
        /// Whether measured loudness counts for ReplayGain where a song has no values.
        public var usesMeasuredGain = true
        /// The playlists that clients see where there is enough for them.
        public var playlists: Set<Playlists> = []

        /// The section as it is when nothing is written in it.
        public init() {}
    }

    /// The `[dj]` section.
    public struct DJ: Hashable, Sendable {
        /// What the auto-DJ chooses from.
        public enum Mode: String, CaseIterable, Hashable, Sendable {
            case similar, genre, favourites, forgotten
            case deepCuts = "deep_cuts"
            case new, library, album
        }

        /// Whether clients see the auto-DJ as an output.
        public var showsSwitch = false
        /// What it chooses from.
        public var mode = Mode.similar
        /// How many songs wait in the queue before it rests.
        public var ahead = 3
        /// Hours in which no song is picked twice.
        public var repeatHours = 24
        /// Songs between two of one artist.
        public var artistGap = 6
        /// Stickers `rating` up to this one are never picked; 0 picks all.
        public var lowestRating = 2
        /// The share of picks from further away.
        public var adventure = 0.1
        /// A filter for songs that are never picked, in MPD's language; nil is none.
        public var except: String?
        /// Whether a sticker says why a song was picked.
        public var explains = true

        /// The section as it is when nothing is written in it.
        public init() {}
    }
}
