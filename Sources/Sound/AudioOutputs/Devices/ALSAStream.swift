import AudioFiles
import CALSA
import Glibc
import MusicModel

/// An ALSA device opened for frames of one form of DSD; no call blocks, and only the device's buffer holds sound.
final class ALSAStream {
    let rate: Int
    let frameSize: Int
    let bufferFrames: Int
    let places: [Int]
    private let device: OpaquePointer
    /// The bytes that the device was given last, as much as its buffer holds: it loses them when it can't pause.
    private var given: [UInt8] = []
    private let canPause: Bool
    /// True if it ran dry since that was looked at last.
    var ranDry = false

    /// - Throws: `OutputProblem` when it is away, taken, or refuses the form.
    init(_ name: String, _ form: NativeDSD, rate: Int, channels: Int, microseconds: Int) throws(OutputProblem) {
        device = try Self.open(name)
        (self.rate, frameSize) = (rate, form.width * channels)
        do throws(OutputProblem) {
            let settings = try HardwareParameters(device)
            try settings.require(form, rate: rate, channels: channels)
            bufferFrames = try settings.apply(microseconds: microseconds)
            canPause = settings.canPause
            places = ALSAChannels.places(of: channels, positions: Self.positions(device))
            try Self.startWhenHalfFull(device, bufferFrames)
        } catch {
            snd_pcm_close(device)
            throw error
        }
    }

    deinit { snd_pcm_close(device) }

    private static func open(_ name: String) throws(OutputProblem) -> OpaquePointer {
        var device: OpaquePointer?
        try check(snd_pcm_open(&device, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK), "can't be opened")
        guard let device else { throw OutputProblem("the device \(name) can't be opened") }
        return device
    }

    /// The forms of DSD that a device takes, by the layout of the same bits as DoP; none if it can't be opened.
    static func forms(of name: String, rates: [Int]) -> [SampleLayout: NativeDSD] {
        guard let device = try? open(name) else { return [:] }
        defer { snd_pcm_close(device) }
        var found: [SampleLayout: NativeDSD] = [:]
        for layout in rates.flatMap({ rate in DSDHeader.channels.map { SampleLayout(rate: rate, channels: $0) } }) {
            found[layout] = NativeDSD.allCases.first { form in
                guard let settings = try? HardwareParameters(device) else { return false }
                let rate = form.rate(ofDoP: layout.rate)
                return (try? settings.require(form, rate: rate, channels: layout.channels)) != nil
            }
        }
        return found
    }

    private static func positions(_ device: OpaquePointer) -> [UInt32] {
        guard let map = snd_pcm_get_chmap(device) else { return [] }
        defer { free(map) }
        return (0..<Int(min(map.pointee.channels, 32))).map { segue_chmap_position(map, CUnsignedInt($0)) }
    }

    /// A device that begins with the first frame has nothing more when it has played that.
    private static func startWhenHalfFull(_ device: OpaquePointer, _ frames: Int) throws(OutputProblem) {
        var settings: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&settings), "can't be set up")
        defer { snd_pcm_sw_params_free(settings) }
        try check(snd_pcm_sw_params_current(device, settings), "can't be set up")
        try check(
            snd_pcm_sw_params_set_start_threshold(device, settings, snd_pcm_uframes_t(max(1, frames / 2))),
            "can't be set up")
        try check(snd_pcm_sw_params(device, settings), "can't be set up")
    }

    fileprivate static func check(_ result: CInt, _ what: String) throws(OutputProblem) {
        guard result < 0 else { return }
        throw OutputProblem("the device \(what): \(String(cString: snd_strerror(result)))")
    }

    // MARK: Playing

    /// Gives the device what it takes of some whole frames; returns how many it took.
    func write(_ bytes: ArraySlice<UInt8>) throws(OutputProblem) -> Int {
        var recoveries = 0
        while true {
            let frames = snd_pcm_uframes_t(bytes.count / frameSize)
            let taken = bytes.withUnsafeBytes { snd_pcm_writei(device, $0.baseAddress, frames) }
            if taken >= 0 {
                keep(bytes.prefix(taken * frameSize))
                return taken
            }
            let code = CInt(clamping: taken)
            if code == -EAGAIN { return 0 }
            // It ran dry, or the machine has slept; once is usual, more at one time is a fault.
            recoveries += 1
            ranDry = ranDry || code == -EPIPE
            try Self.check(recoveries > 2 ? code : snd_pcm_recover(device, code, 1), "takes no more sound")
        }
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        given += bytes
        let limit = bufferFrames * frameSize
        if given.count > 2 * limit { given.removeFirst(given.count - limit) }
    }

    /// How many frames it was given and has not played.
    var delay: Int {
        var frames: snd_pcm_sframes_t = 0
        guard snd_pcm_delay(device, &frames) >= 0 else { return 0 }
        return max(0, Int(frames))
    }

    /// Waits for more sound before it begins.
    var isWaiting: Bool { snd_pcm_state(device) == SND_PCM_STATE_PREPARED }
    /// Begins, however little it was given.
    func start() { if isWaiting { snd_pcm_start(device) } }

    /// Holds it, and returns the frames that have to be given again afterwards: devices that can't pause forget them.
    func pause() -> [UInt8] {
        if canPause, snd_pcm_pause(device, 1) >= 0 { return [] }
        let lost = given.suffix(min(given.count, delay * frameSize))
        snd_pcm_drop(device)
        given = []
        return Array(lost)
    }

    func resume() {
        guard snd_pcm_state(device) != SND_PCM_STATE_PAUSED else {
            snd_pcm_pause(device, 0)
            return
        }
        snd_pcm_prepare(device)
    }

    func discard() {
        snd_pcm_drop(device)
        snd_pcm_prepare(device)
        given = []
    }
}

private final class HardwareParameters {
    private let device: OpaquePointer
    private let parameters: OpaquePointer

    init(_ device: OpaquePointer) throws(OutputProblem) {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) >= 0, let parameters else { throw OutputProblem("out of memory") }
        (self.device, self.parameters) = (device, parameters)
        try ALSAStream.check(snd_pcm_hw_params_any(device, parameters), "can't be set up")
    }

    deinit { snd_pcm_hw_params_free(parameters) }

    /// Leaves only this form; nothing may convert it.
    func require(_ form: NativeDSD, rate: Int, channels: Int) throws(OutputProblem) {
        let refusal = "takes no DSD of that rate"
        guard let channels = CUnsignedInt(exactly: channels), let rate = CUnsignedInt(exactly: rate) else {
            throw OutputProblem("the device \(refusal)")
        }
        try ALSAStream.check(snd_pcm_hw_params_set_rate_resample(device, parameters, 0), refusal)
        try ALSAStream.check(snd_pcm_hw_params_set_access(device, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), refusal)
        try ALSAStream.check(snd_pcm_hw_params_set_format(device, parameters, form.format), refusal)
        try ALSAStream.check(snd_pcm_hw_params_set_channels(device, parameters, channels), refusal)
        try ALSAStream.check(snd_pcm_hw_params_set_rate(device, parameters, rate, 0), refusal)
    }

    func apply(microseconds: Int) throws(OutputProblem) -> Int {
        var time = CUnsignedInt(clamping: microseconds)
        var frames: snd_pcm_uframes_t = 0
        var direction: CInt = 0
        try ALSAStream.check(
            snd_pcm_hw_params_set_buffer_time_near(device, parameters, &time, &direction), "can't be set up")
        try ALSAStream.check(snd_pcm_hw_params(device, parameters), "can't be set up")
        try ALSAStream.check(snd_pcm_hw_params_get_buffer_size(parameters, &frames), "can't be set up")
        return max(1, Int(clamping: frames))
    }

    var canPause: Bool { snd_pcm_hw_params_can_pause(parameters) != 0 }
}

enum ALSAChannels {
    /// Where each channel of sound lies in the frames of a device: in the usual order where the positions that it
    /// names, as `SND_CHMAP_…`, aren't those of the channels.
    /// - Source: alsa-lib include/pcm.h, `snd_pcm_chmap_position`; src/conf/pcm/surround71.conf.
    static func places(of channels: Int, positions: [UInt32]) -> [Int] {
        let speakers = Speaker.layout(channels: channels)
        let named = positions.map { self.speakers[Int($0)] }
        return places(of: speakers, in: named) ?? places(of: speakers, in: named.map(behind))
            ?? places(of: speakers, in: usual.map(Optional.some)) ?? Array(0..<channels)
    }

    /// Of six channels or fewer some devices call the last two those at the sides.
    private static func behind(_ speaker: Speaker?) -> Speaker? {
        switch speaker {
        case .sideLeft: .rearLeft
        case .sideRight: .rearRight
        default: speaker
        }
    }

    private static func places(of speakers: [Speaker], in order: [Speaker?]) -> [Int]? {
        let order = order.filter { $0.map(speakers.contains) ?? true }
        let places = speakers.compactMap { order.firstIndex(of: $0) }
        return order.count == speakers.count && places.count == speakers.count ? places : nil
    }

    private static let usual: [Speaker] = [
        .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ]

    private static let speakers: [Int: Speaker] = [
        Int(SND_CHMAP_FL.rawValue): .frontLeft, Int(SND_CHMAP_FR.rawValue): .frontRight,
        Int(SND_CHMAP_RL.rawValue): .rearLeft, Int(SND_CHMAP_RR.rawValue): .rearRight,
        Int(SND_CHMAP_FC.rawValue): .frontCenter, Int(SND_CHMAP_MONO.rawValue): .frontCenter,
        Int(SND_CHMAP_LFE.rawValue): .lowFrequency, Int(SND_CHMAP_RC.rawValue): .rearCenter,
        Int(SND_CHMAP_SL.rawValue): .sideLeft, Int(SND_CHMAP_SR.rawValue): .sideRight,
    ]
}
