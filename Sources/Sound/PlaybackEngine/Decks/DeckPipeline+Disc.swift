import AudioFiles
import CSound
import Coordination
import MusicModel
import Playback

extension DeckPipeline {
    /// How much is read ahead: a drive that seeks between two tracks takes its time.
    private static let reserve: Nanoseconds = .seconds(8)

    convenience init?(disc address: DiscAddress, device: String) {
        self.init(
            launch: "identity name=decode !", feed: nil,
            tail: """
                audioconvert name=convert dithering=none ! audioresample \
                ! audio/x-raw,format=F32LE,layout=interleaved,channels=2 \
                ! queue name=queue max-size-buffers=0 max-size-bytes=8388608 \
                ! appsink name=sink sync=false enable-last-sample=false max-buffers=4
                """)
        guard let disc = segue_disc_source(), let decode = pipeline.child("decode") else { return nil }
        segue_bin_add(pipeline.element.pointer, disc)
        segue_disc_set_track(disc, device, guint(address.track ?? 1))
        gst_element_link(disc, decode.pointer)
        segue_set_int64(queue.pointer, "max-size-time", Self.reserve.signedClockTime)
    }
}

extension Deck {
    /// Opens a track of a disc, if its drive is one of those that may be played.
    static func pipeline(_ address: DiscAddress, of devices: [String]) throws -> DeckPipeline {
        guard let device = address.device ?? devices.first, devices.contains(device) else {
            throw TrackError("the drive is not among cd_devices in [playback]")
        }
        guard GStreamerLibrary.has("audioconvert"), let pipeline = DeckPipeline(disc: address, device: device) else {
            throw TrackError(DiscReader.missing)
        }
        return pipeline
    }
}
