import MusicModel
import Outputs
import Playback

/// Titles for outputs that show them to their listeners.
extension EngineCore {
    /// Takes in what is known of a song.
    func tagged(_ source: EngineTrack.Source, _ tags: [TagValue]) {
        for deck in songs.decks where deck.track.source == source {
            deck.details.tags = tags
        }
    }

    /// The track that is mixed for a play.
    func deck(of play: UInt64) -> PlayingDeck? {
        let decks = songs.decks + radio.switching.leaving.map(\.deck)
        return decks.first { $0.track.play == play }
    }

    /// The tags of a track.
    func tags(of deck: PlayingDeck) -> [TagValue] {
        deck.isStream ? deck.link.tags : deck.track.sheetTags.completed(by: deck.details.tags)
    }
}
