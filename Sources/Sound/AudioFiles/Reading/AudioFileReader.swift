import CSound
import Coordination
import Glibc
import MusicModel
import Playback

/// Reads tags, length and pictures of audio files with GStreamer's discoverer.
package enum AudioFileReader {
    /// A decoder as MPD's `decoders` lists it.
    package typealias Decoder = (plugin: String, suffixes: [String], mimeTypes: [String])

    /// How long one file may take, as `ReadingTime` counts; `DiscoveryWatch` notices what gave up sooner.
    package static let patience: Duration = .seconds(5)
    /// How many times as long it may take by the clock, on a busy machine or a slow disk.
    private static let slowest = 12
    /// How long one try may take of those that are made of a Musepack file.
    private static let patienceWithMusepack: Duration = .seconds(3)

    /// The formats that can be played, by the library that decodes them.
    package static let decoderList: [Decoder] = [
        ("flac", ["flac"], ["audio/flac", "audio/x-flac"]),
        ("mpg123", ["mp3", "mp2"], ["audio/mpeg"]),
        ("vorbis", ["ogg", "oga"], ["audio/ogg", "application/ogg", "audio/vorbis", "audio/x-vorbis+ogg"]),
        ("opus", ["opus"], ["audio/opus", "audio/x-opus+ogg"]),
        ("aac", MusicSuffixes.mp4.sorted() + ["aac"], ["audio/mp4", "audio/x-m4a", "audio/aac", "audio/aacp"]),
        ("wav", ["wav"], ["audio/wav", "audio/x-wav"]),
        ("aiff", MusicSuffixes.aiff, ["audio/aiff", "audio/x-aiff"]),
        ("wavpack", ["wv"], ["audio/x-wavpack"]),
        ("ape", ["ape"], ["audio/x-ape"]),
        ("mpcdec", MusicSuffixes.musepack, ["audio/x-musepack"]),
        ("tta", ["tta"], ["audio/x-tta"]),
        ("speex", ["spx"], ["audio/x-speex"]),
        ("matroska", MusicSuffixes.matroska, ["audio/x-matroska", "audio/webm", "video/x-matroska", "video/webm"]),
        ("dsd", ["dsf", "dff"], ["audio/x-dsf", "audio/x-dff"]),
        ("wma", MusicSuffixes.asf, ["audio/x-ms-wma", "video/x-ms-asf"]),
        ("pcm", ["au", "snd", "caf"], ["audio/basic", "audio/x-caf"]),
    ]

    /// The file name extensions that are looked at, in lower case.
    package static let supportedSuffixes: Set<String> = Set(decoderList.flatMap(\.suffixes))

    /// Has tags that are not Unicode taken for texts of this charset.
    /// - Isolation: to be called before there are other threads, which could read the environment at the same time.
    package static func useLegacyCharset(_ charset: String) {
        // GStreamer asks the environment, and takes such texts for Windows' Western charset without an answer.
        setenv(charsetVariable, charset, 0)
    }

    static let charsetVariable = "GST_TAG_ENCODING"
    static let legacyCharset = getenv(charsetVariable).map { String(cString: $0) } ?? TextDecoding.usualCharset

    /// Reads a file.
    /// - Throws: `AudioFileError` when the file can't be read, isn't audio or is damaged.
    /// - Isolation: blocks, for 5 to 30 ms as a rule and 10 s at most (30 s of Musepack's) where processor and disk are
    ///   free, as `ID3Bounds` leaves nothing in its tag that would take longer; call it on a thread that may wait.
    package static func read(path: String) throws -> ScannedFile { try scan(Discovery(path, patience: patience), path) }

    /// The name of the library that reads files, with its version.
    package static var version: String {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return "GStreamer \(major).\(minor).\(micro)"
    }

    /// Reads a file with everything that `read`, `embeddedPicture` and `lyrics` take from it, each in at most
    /// `patience`.
    /// - Throws: `AudioFileError` when the file can't be read, isn't audio or is damaged.
    /// - Isolation: blocks as `read` does.
    static func readEverything(path: String, patience: Duration) throws -> ScannedFile {
        let info = try Discovery(path, patience: patience)
        _ = (EmbeddedPicture.read(path: path), info.picture, info.lyrics ?? otherLyrics(of: path))
        return try scan(info, path)
    }

    private static func scan(_ info: Discovery, _ path: String) throws -> ScannedFile {
        guard let audio = info.audio else { throw AudioFileError(message: "it holds no audio") }
        return try withExtendedLifetime(info) {
            let (reader, own) = (TagReader(info.tags), OwnTags.read(path))
            return try ScannedFile(
                tags: TagMapping.values(reader, own), duration: info.duration,
                format: info.formatOfDSD ?? format(audio), replayGain: reader.replayGain.filled(own.replayGain),
                hasEmbeddedPicture: reader.hasPicture || EmbeddedPicture.read(path: path) != nil,
                cueSheet: CueSheet.preferred([reader.cueSheet] + own.cueSheets))
        }
    }

    private static func otherLyrics(of path: String) -> String? {
        HeaderBytes.reading(path) { source in
            ID3Tag(source, frames: ["USLT"])?.frames.lazy.compactMap(\.lyrics).first
                ?? (OwnTags.withAPE.contains(path.pathSuffix) ? APETag(source)?.lyrics : nil)
        }
    }

    /// The embedded picture of a file and its MIME type; nil if it has none.
    /// - Throws: `AudioFileError` when the file can't be read, or has no picture and isn't audio or is damaged.
    /// - Isolation: blocks as `read` does.
    package static func embeddedPicture(path: String) throws -> (bytes: [UInt8], mimeType: String)? {
        try EmbeddedPicture.read(path: path) ?? Discovery(path, patience: patience).picture
    }

    /// The words that a file holds, as they stand there; nil if it has none.
    /// - Throws: `AudioFileError` when the file can't be read, isn't audio or is damaged.
    /// - Isolation: blocks as `read` does.
    package static func lyrics(path: String) throws -> String? {
        try Discovery(path, patience: patience).lyrics ?? otherLyrics(of: path)
    }

    static func isMusepack(_ path: String) -> Bool { MusicSuffixes.musepack.contains(path.pathSuffix) }

    private static func format(_ audio: OpaquePointer) throws -> AudioFormat? {
        let rate = Int(gst_discoverer_audio_info_get_sample_rate(audio))
        let depth = Int(gst_discoverer_audio_info_get_depth(audio))
        let channels = Int(gst_discoverer_audio_info_get_channels(audio))
        guard rate > 0, channels > 0 else { return nil }
        if let refusal = SoundLimits.refusal(rate: rate, channels: channels) { throw AudioFileError(message: refusal) }
        return AudioFormat(sampleRate: rate, sample: depth > 0 ? .integer(bits: depth) : .float, channels: channels)
    }

    private final class Discovery {
        private let info: OpaquePointer
        let tags: UnsafeMutablePointer<GstTagList>
        let audio: OpaquePointer?
        let formatOfDSD: AudioFormat?
        /// The length of what GStreamer knows up to a block, or not at all.
        private let toldLength: Nanoseconds?

        init(_ path: String, patience: Duration) throws {
            let size = try Self.checkFile(path)
            let feed: TrackFeed
            do { feed = try TrackFeed(TrackFile(completePath: path, suffix: "", size: size)) } catch {
                let message = (error as? TrackError)?.message ?? "it can't be read"
                throw AudioFileError(message: message, kind: .outOfReach, cause: error)
            }
            do throws(TrackError) { try feed.readForm() } catch { throw Self.failure(feed, error.message) }
            (formatOfDSD, toldLength) = (feed.formatOfDSD, feed.lengthOfDSD ?? feed.length ?? feed.lengthOfLinks)
            info = try Self.discover(feed, isMusepack: AudioFileReader.isMusepack(path), patience)
            tags = segue_discoverer_tags(info)
            if MusicSuffixes.inChunks.contains(path.pathSuffix) {
                _ = HeaderBytes.reading(path) { [tags] in ContainerTags.add(to: tags, from: $0) }
            }
            audio = segue_discoverer_first_audio(info)
        }

        deinit {
            if let audio { segue_gobject_unref(UnsafeMutableRawPointer(audio)) }
            segue_tags_unref(tags)
            segue_gobject_unref(UnsafeMutableRawPointer(info))
        }

        var duration: Duration? {
            guard let length = toldLength ?? Nanoseconds(gst_discoverer_info_get_duration(info)) else { return nil }
            return length > .zero && SoundLimits.isPlausible(length) ? length.duration : nil
        }

        var picture: (bytes: [UInt8], mimeType: String)? { withExtendedLifetime(self) { TagReader(tags).picture } }
        var lyrics: String? { withExtendedLifetime(self) { TagReader(tags).lyrics } }

        private static func checkFile(_ path: String) throws -> Int64 {
            if let failure = GStreamerLibrary.failure {
                throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
            }
            let path = DiskPath(path)
            guard let status = path.status(), path.allows(R_OK)
            else { throw AudioFileError(message: String(cString: strerror(errno)), kind: .outOfReach) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw AudioFileError(message: "it is not a file") }
            guard status.st_size > 0 else { throw AudioFileError(message: "it is empty") }
            return Int64(status.st_size)
        }

        private static func discover(_ feed: TrackFeed, isMusepack: Bool, _ patience: Duration) throws -> OpaquePointer
        {
            guard isMusepack else { return try discover(feed, patience) }
            let patience = min(patience, patienceWithMusepack)
            // The discoverer sometimes never hears of the decoder's sound (see `DeckPipeline`).
            for _ in 0..<4 { if let found = try? discover(feed, patience) { return found } }
            return try discover(feed, patience)
        }

        private static func discover(_ feed: TrackFeed, _ patience: Duration) throws -> OpaquePointer {
            // Callers remember such files, so a second try has to come to the same end.
            do { return try run(feed, patience) } catch is DiscoveryWatch.Reason {}
            do { return try run(feed, patience) } catch let reason as DiscoveryWatch.Reason {
                switch reason {
                case .rest: throw failure(feed, "the file is damaged or breaks off")
                case .overtime: throw failure(feed, text(GST_DISCOVERER_TIMEOUT), kind: .hanging)
                }
            }
        }

        /// - Throws: why the run was ended, too.
        private static func run(_ feed: TrackFeed, _ patience: Duration) throws -> OpaquePointer {
            var error: UnsafeMutablePointer<GError>?
            defer { g_clear_error(&error) }
            let patience = Nanoseconds(patience)
            guard let discoverer = gst_discoverer_new((patience * slowest).clockTime, &error)
            else { throw AudioFileError(message: "GStreamer's base plug-ins are missing") }
            let address = TrackSource.offer(feed)
            defer {
                TrackSource.withdraw(address)
                segue_gobject_unref(discoverer)
            }
            ElementPolicy.file.rule(discoverer)
            let watch = DiscoveryWatch(discoverer, feed, patience: patience)
            let found = gst_discoverer_discover_uri(discoverer, address, &error)
            let reason = watch.end()
            guard let found else { throw failure(feed, text(error) ?? "it can't be read") }
            let result = gst_discoverer_info_get_result(found)
            // Pictures and other parts that are not sound have no decoder here.
            if result == GST_DISCOVERER_OK || result == GST_DISCOVERER_MISSING_PLUGINS && hasAudio(found) {
                return found
            }
            segue_gobject_unref(UnsafeMutableRawPointer(found))
            if let reason { throw reason }
            guard result != GST_DISCOVERER_TIMEOUT
            else { throw failure(feed, "the machine or its disk is too slow to read it now", kind: .outOfReach) }
            throw failure(feed, text(error) ?? Self.text(result))
        }

        /// Why a file can't be used: where its bytes could not be read, that is it, whatever became of the others.
        private static func failure(
            _ feed: TrackFeed, _ message: String, kind: AudioFileError.Kind = .unusable
        ) -> AudioFileError {
            feed.failure.map { AudioFileError(message: $0, kind: .outOfReach) }
                ?? AudioFileError(message: message, kind: kind)
        }

        private static func hasAudio(_ info: OpaquePointer) -> Bool {
            guard let audio = segue_discoverer_first_audio(info) else { return false }
            segue_gobject_unref(UnsafeMutableRawPointer(audio))
            return true
        }

        private static func text(_ error: UnsafeMutablePointer<GError>?) -> String? {
            error.map { ErrorMessages.text(error: UnsafePointer($0)) }
        }

        private static func text(_ result: GstDiscovererResult) -> String {
            switch result {
            case GST_DISCOVERER_TIMEOUT: "reading it took too long"
            case GST_DISCOVERER_MISSING_PLUGINS: ErrorMessages.missingDecoder
            default: "it is damaged"
            }
        }
    }
}
