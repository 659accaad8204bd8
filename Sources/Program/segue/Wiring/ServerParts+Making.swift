import AudioFiles
import Foundation
import Sync
import LibraryIndex
import MPDCommands
import MPDSessions
import MediaCache
import MediaLookup
import SegueConfiguration
import ServerLoop

extension ServerParts {
    /// The parts for commands, from the services that were put together.
    @ServerActor
    init(
        _ sources: Sources, _ upstream: UpstreamServices, _ playback: PlaybackServices, _ media: SongMedia,
        passwords: PasswordGate
    ) {
        self.init(library: sources.library, updating: upstream.sync, pictures: media.pictures)
        lyrics = media.lyrics
        comments = sources.session.map { ServerComments(library: sources.library, session: $0) }
        outsideFiles = OutsideFileReader(sources.remotePlaylists)
        outsideSongs = OutsideSongs()
        discs = Discs()
        otherQueue = upstream.queueKeeper.map { OtherQueueProvider(keeper: $0) }
        fingerprints = SongFingerprints(tracks: sources.tracks)
        mounting = upstream.sync
        storages = sources.storages
        partitionHost = playback.players
        ownChannel = playback.channel
        self.passwords = passwords
    }
}

extension ServerFacts {
    /// The facts for commands about the process, from the configuration.
    init(_ configuration: Configuration, _ sources: Sources, missingSource: String?) {
        self.init()
        mounts = sources.mounts.shown.map { ShownMount($0.name, of: $0.storage, in: $0.network?.folder) }
        decoders = AudioFileReader.decoderList
        lineInputs = configuration.playback.lineInputs
        discDevices = configuration.playback.discDevices
        musicDirectory = configuration.local?.musicDirectory
        if let charset = configuration.local?.cueSheets.charset { legacyCharset = charset }
        missingSourceAdvice = missingSource
        shutDown = { _ = kill(getpid(), SIGTERM) }
    }
}
