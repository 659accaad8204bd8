import CSound
import Coordination
import Glibc
import MusicModel

/// A connection to PipeWire with at most one stream, for the output's thread; PipeWire's own see only the C part.
final class PipeWireStream {
    private let connection: OpaquePointer

    init(server: String?) throws(OutputProblem) {
        var error: Int32 = 0
        guard let connection = segue_pipewire_new(server, &error) else {
            throw OutputProblem(
                "PipeWire can't be reached: \(String(cString: strerror(error))); does it run for this user, and is "
                    + "XDG_RUNTIME_DIR set?")
        }
        self.connection = connection
    }

    deinit { segue_pipewire_free(connection) }

    func begin(_ format: AudioFormat, name: String, device: String?) throws(OutputProblem) {
        let samples =
            switch format.sample {
            case .integer(bits: 16): SEGUE_PIPEWIRE_S16
            case .integer(bits: 24): SEGUE_PIPEWIRE_S24
            case .integer(bits: 32): SEGUE_PIPEWIRE_S32
            default: SEGUE_PIPEWIRE_FLOAT
            }
        let error = segue_pipewire_begin(
            connection, name, device, Int32(samples), UInt32(format.sampleRate), UInt32(format.channels))
        guard error != 0 else { return }
        throw OutputProblem("PipeWire refuses the sound: \(String(cString: strerror(error)))")
    }

    var failure: String? {
        guard segue_pipewire_status(connection) == UInt32(SEGUE_PIPEWIRE_BROKEN) else { return nil }
        let text = String(cString: segue_pipewire_failure(connection))
        return segue_pipewire_is_connected(connection)
            ? "PipeWire plays nothing: \(text); is a device connected?"
            : "the connection to PipeWire broke: \(text); does it still run? It is tried again"
    }

    var isRunning: Bool { segue_pipewire_status(connection) == UInt32(SEGUE_PIPEWIRE_RUNS) }
    var room: Int { Int(segue_pipewire_room(connection)) }
    var waiting: Int { Int(segue_pipewire_waiting(connection)) }
    var written: UInt64 { segue_pipewire_written(connection) }

    func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        segue_pipewire_write(connection, bytes, UInt64(bytes.count))
    }

    func discard() { segue_pipewire_discard(connection) }
    func setPaused(_ isPaused: Bool) { segue_pipewire_pause(connection, isPaused) }
    func setResting(_ rests: Bool) { segue_pipewire_rest(connection, rests) }
    func setVolume(_ factor: Float) { segue_pipewire_set_volume(connection, factor) }

    /// How many frames had been heard at a moment on the monotonic clock; nil while none was taken.
    func heard(at moment: Nanoseconds) -> UInt64? {
        var (place, takenAt): (UInt64, Int64) = (0, 0)
        return segue_pipewire_heard(connection, moment.count, &place, &takenAt) ? place : nil
    }

    var takenAt: Nanoseconds? {
        var (place, takenAt): (UInt64, Int64) = (0, 0)
        return segue_pipewire_heard(connection, 0, &place, &takenAt) ? Nanoseconds(count: takenAt) : nil
    }

    /// The gaps since the stream began: how many, the frame before which the last one was, and its frames.
    var gaps: (count: UInt32, place: UInt64, frames: UInt64) {
        var (place, frames): (UInt64, UInt64) = (0, 0)
        let count = segue_pipewire_gaps(connection, &place, &frames)
        return (count, place, frames)
    }
}
