import Logging
import LibraryIndex
import MediaControls
import MusicModel
import SegueConfiguration
import ServerLoop
import SongDetails
import UserLibrary

extension DesktopControls {
    /// Shows the players at the desktop as the configuration says.
    convenience init(_ desktop: Configuration.Desktop, _ library: Library, _ media: SongMedia) {
        var settings = MediaControlSettings()
        settings.isEnabled = desktop.enabled
        settings.showsPartitions = desktop.partitions
        settings.pausesOnSleep = desktop.pauseOnSleep
        settings.inhibitsSleep = desktop.inhibitSleep
        // What can't be read is left out of the picture; clients that ask for it hear why.
        let lookup = Lookup(
            song: { try? await library.index.songs([$0]).first ?? nil },
            rating: { song in
                (try? await library.sticker("rating", of: .song(song), isolation: nil)).flatMap { $0 }.flatMap {
                    Int($0)
                }
            },
            picture: { try? await media.pictures.albumArt(for: $0)?.bytes })
        self.init(settings, lookup, log: Logger(label: "segue.desktop"))
    }
}
