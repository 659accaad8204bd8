extension Configuration {
    /// The `[discovery]` section.
    package struct Discovery: Hashable, Sendable {
        /// Playlists that are switched on together.
        package enum Playlists: String, CaseIterable, Hashable, Sendable {
            case similar, daily, memories, new, genre, decade, mood
        }

        /// Which songs are measured.
        package enum Analysis: String, CaseIterable, Hashable, Sendable {
            case off, heard, library
        }

        /// Which songs are measured.
        package var analysis = Analysis.off
        /// Whether measured loudness counts for ReplayGain where a song has no values.
        package var usesMeasuredGain = true
        /// The playlists that clients see where there is enough for them.
        package var playlists: Set<Playlists> = []

        /// The section as it is when nothing is written in it.
        package init() {}
    }

    /// The `[dj]` section.
    package struct DJ: Hashable, Sendable {
        /// What the auto-DJ chooses from.
        package enum Mode: String, CaseIterable, Hashable, Sendable {
            case similar, genre, favourites, forgotten
            case deepCuts = "deep_cuts"
            case new, library, album
        }

        /// Whether clients see the auto-DJ as an output.
        package var showsSwitch = false
        /// What it chooses from.
        package var mode = Mode.similar
        /// How many songs wait in the queue before it rests.
        package var ahead = 3
        /// Hours in which no song is picked twice.
        package var repeatHours = 24
        /// Songs between two of one artist.
        package var artistGap = 6
        /// Stickers `rating` up to this one are never picked; 0 picks all.
        package var lowestRating = 2
        /// The share of picks from further away.
        package var adventure = 0.1
        /// A filter for songs that are never picked, in MPD's language; nil is none.
        package var except: String?
        /// Whether a sticker says why a song was picked.
        package var explains = true

        /// The section as it is when nothing is written in it.
        package init() {}
    }
}
