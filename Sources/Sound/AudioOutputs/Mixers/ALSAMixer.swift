import CALSA
import Coordination
import Glibc
import Logging
import MusicModel
import Outputs

/// A control of an ALSA device.
///
/// It has a thread that sleeps until the device or Segue changes something. Percents go by loudness, as those of
/// `alsamixer` and MPD do: they are shares of the amplitude where the device tells decibels, else of its own steps.
final class ALSAMixer: OutputMixer {
    private struct State {
        var volume: Int?
        var wanted: Int?
        var gain: Float = 1
        var isKnown = false
        var isClosed = false

        mutating func takeWanted() -> (volume: Int, gain: Float)? {
            defer { wanted = nil }
            return wanted.map { ($0, gain) }
        }
    }

    private let settings: MixerSettings
    private let log: Logger
    private let changed: @Sendable () -> Void
    private let state = Monitor(State())
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init(_ settings: MixerSettings, log: Logger, changed: @escaping @Sendable () -> Void) {
        (self.settings, self.log, self.changed) = (settings, log, changed)
        if !BlockingThread.start("mixer", { self.run() }) { log.error("No mixer: \(BlockingThread.missing)") }
    }

    deinit { Glibc.close(bell) }

    var volume: Int? { state.withLock { $0.volume } }

    func setVolume(_ volume: Int) {
        state.withLock { state in
            state.wanted = volume
            state.isKnown = true
            if state.volume != nil { state.volume = volume }
        }
        ring()
    }

    func setGain(_ gain: Float, usual: Int) {
        state.withLock { state in
            let volume = state.wanted ?? (state.isKnown ? state.volume : nil) ?? usual
            (state.gain, state.wanted, state.isKnown) = (gain, volume, true)
            if state.volume != nil { state.volume = volume }
        }
        ring()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        ring()
    }

    private func ring() { eventfd_write(bell, 1) }

    // MARK: The mixer's thread

    private func run() {
        var control: ALSAControl?
        // The level that was set, and what the device made of it with ReplayGain: its steps may be coarser.
        var (set, got): (Int?, Int?) = (nil, nil)
        var gain: Float = 1
        while !state.withLock({ $0.isClosed }) {
            if control == nil { control = open() }
            if let control, let wanted = state.withLock({ $0.takeWanted() }) {
                control.setVolume(wanted.volume, wanted.gain)
                (set, got, gain) = (wanted.volume, control.volume(1), wanted.gain)
            }
            if control?.volume(1) != got { (set, got) = (nil, nil) }
            show(set ?? control?.volume(gain))
            if !wait(for: control) { control = nil }
        }
    }

    private func open() -> ALSAControl? {
        do throws(OutputProblem) { return try ALSAControl(settings) } catch {
            log.warning("The mixer \"\(settings.control)\" of \(settings.device) can't be used: \(chain: error)")
            return nil
        }
    }

    private func show(_ volume: Int?) {
        let isNew = state.withLock { state in
            guard state.volume != volume, state.wanted == nil || volume == nil else { return false }
            if state.volume != nil { state.isKnown = true }
            state.volume = volume
            return true
        }
        if isNew { changed() }
    }

    /// Waits until the device or Segue changes something; false if the device is gone.
    private func wait(for control: ALSAControl?) -> Bool {
        var descriptors = control?.descriptors ?? []
        descriptors.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
        poll(&descriptors, nfds_t(descriptors.count), -1)
        var count: eventfd_t = 0
        eventfd_read(bell, &count)
        return control?.readEvents() ?? true
    }
}

private final class ALSAControl {
    private let mixer: OpaquePointer
    private let element: OpaquePointer

    init(_ settings: MixerSettings) throws(OutputProblem) {
        var failure: Int32 = 0
        guard let mixer = segue_alsa_open(settings.device, &failure) else {
            throw OutputProblem(String(cString: snd_strerror(failure)))
        }
        var element = snd_mixer_first_elem(mixer)
        while let found = element {
            let name = String(cString: snd_mixer_selem_get_name(found))
            if name.lowercased() == settings.control.lowercased(),
                snd_mixer_selem_get_index(found) == UInt32(settings.index),
                snd_mixer_selem_has_playback_volume(found) != 0
            {
                break
            }
            element = snd_mixer_elem_next(found)
        }
        guard let element else {
            snd_mixer_close(mixer)
            throw OutputProblem("there is no such control")
        }
        (self.mixer, self.element) = (mixer, element)
    }

    deinit { snd_mixer_close(mixer) }

    var descriptors: [pollfd] {
        let count = snd_mixer_poll_descriptors_count(mixer)
        guard count > 0 else { return [] }
        var found = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = snd_mixer_poll_descriptors(mixer, &found, UInt32(count))
        return Array(found.prefix(Int(max(0, filled))))
    }

    func readEvents() -> Bool { snd_mixer_handle_events(mixer) >= 0 }

    /// The range in hundredths of a decibel, where the device tells it.
    private var decibels: (least: Int, most: Int)? {
        var (least, most) = (0, 0)
        guard snd_mixer_selem_get_playback_dB_range(element, &least, &most) == 0, least < most else { return nil }
        return (least, most)
    }

    /// With so small a range, in hundredths of a decibel, loudness simply goes by decibels.
    private static let smallRange = 2400

    /// The volume that the device shows, without a factor that was set on top of it.
    func volume(_ gain: Float) -> Int? {
        let channel = SND_MIXER_SCHN_FRONT_LEFT
        guard let decibels else {
            var (least, most, value) = (0, 0, 0)
            guard snd_mixer_selem_get_playback_volume_range(element, &least, &most) == 0, least < most,
                snd_mixer_selem_get_playback_volume(element, channel, &value) == 0
            else { return nil }
            return Self.percent(Double(value - least) / Double(most - least) / Double(cbrt(gain)))
        }
        var found = 0
        guard snd_mixer_selem_get_playback_dB(element, channel, &found) == 0 else { return nil }
        // Silence is silence whatever is on top of it.
        let value = found <= decibels.least ? Double(found) : Double(found) - Self.hundredths(gain)
        if decibels.most - decibels.least <= Self.smallRange {
            return Self.percent((value - Double(decibels.least)) / Double(decibels.most - decibels.least))
        }
        let silence = Self.silence(decibels)
        return Self.percent((pow(10, (value - Double(decibels.most)) / 6000) - silence) / (1 - silence))
    }

    private static func percent(_ share: Double) -> Int { Int((max(0, min(1, share)) * 100).rounded()) }
    /// A factor in hundredths of a decibel.
    private static func hundredths(_ gain: Float) -> Double { 2000 * log10(Double(max(gain, 1e-6))) }

    /// Sets a volume with a factor on top of it, as far as the device goes.
    func setVolume(_ volume: Int, _ gain: Float) {
        let share = Double(volume) / 100
        guard let decibels else {
            var (least, most) = (0, 0)
            snd_mixer_selem_get_playback_volume_range(element, &least, &most)
            // Without decibels the steps are taken for those of loudness, as everywhere.
            let steps = min(1, share * Double(cbrt(gain))) * Double(most - least)
            snd_mixer_selem_set_playback_volume_all(element, least + Int(steps.rounded()))
            return
        }
        var value: Double
        if decibels.most - decibels.least <= Self.smallRange {
            value = Double(decibels.least) + share * Double(decibels.most - decibels.least)
        } else {
            let silence = Self.silence(decibels)
            value = 6000 * log10(max(1e-6, share * (1 - silence) + silence)) + Double(decibels.most)
        }
        if volume > 0 { value += Self.hundredths(gain) }
        let limited = max(decibels.least, min(decibels.most, Int(value.rounded())))
        snd_mixer_selem_set_playback_dB_all(element, limited, 1)
    }

    /// The amplitude of the lowest step; none where that mutes.
    private static func silence(_ decibels: (least: Int, most: Int)) -> Double {
        decibels.least == -9_999_999 ? 0 : pow(10, Double(decibels.least - decibels.most) / 6000)
    }
}
