import CALSA
import Coordination
import Glibc
import Logging

/// Hears when headphones are pulled out of a sound card.
///
/// Kernels report a card's jacks as controls of ALSA, whatever plays through the card: ALSA itself, PipeWire or
/// PulseAudio. A thread sleeps until one of them changes. Cards that come later are not heard.
/// - Source: Linux's Documentation/sound/designs/jack-controls.rst.
struct HeadphoneWatch: Sendable {
    let log: Logger

    /// Calls `unplugged` on a thread of its own after each time, until the task is cancelled; returns at once without a
    /// card that has such a jack.
    func run(unplugged: @escaping @Sendable () -> Void) async {
        let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0 else { return }
        let log = log
        let isStarted = await untilCancelled(
            by: { BlockingThread.start("headphones", $0) }, end: { eventfd_write(bell, 1) }
        ) {
            let cards = JackControls.names.compactMap { JackControls($0) }
            if cards.isEmpty {
                log.warning("pause_on_unplug has no effect: no sound card of this machine reports headphones")
            }
            Self.listen(to: cards, until: bell, unplugged)
        }
        if !isStarted { log.warning("The music does not know when headphones are pulled: \(BlockingThread.missing)") }
        close(bell)
    }

    private static func listen(to cards: [JackControls], until bell: Int32, _ unplugged: () -> Void) {
        var cards = cards
        while !cards.isEmpty {
            var descriptors = cards.map(\.descriptor)
            descriptors.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 || errno == EINTR else { return }
            guard descriptors[cards.count].revents == 0 else { return }
            for (card, descriptor) in zip(cards, descriptors) where descriptor.revents != 0 {
                switch card.read() {
                case .unplugged: unplugged()
                case .gone: cards.removeAll { $0 === card }
                case .other: break
                }
            }
        }
    }
}

private final class JackControls {
    enum Event { case unplugged, other, gone }

    private let control: OpaquePointer
    let descriptor: pollfd

    /// The cards of the machine; without any the default one, which a configuration of ALSA may make.
    static var names: [String] {
        var names: [String] = []
        var card: Int32 = -1
        while snd_card_next(&card) == 0, card >= 0 { names.append("hw:\(card)") }
        return names.isEmpty ? ["default"] : names
    }

    init?(_ name: String) {
        var opened: OpaquePointer?
        guard snd_ctl_open(&opened, name, Int32(SND_CTL_NONBLOCK)) == 0, let opened else { return nil }
        var descriptor = pollfd()
        guard Self.hasJack(opened), snd_ctl_subscribe_events(opened, 1) == 0,
            snd_ctl_poll_descriptors(opened, &descriptor, 1) == 1
        else {
            snd_ctl_close(opened)
            return nil
        }
        (control, self.descriptor) = (opened, descriptor)
    }

    deinit { snd_ctl_close(control) }

    private static func hasJack(_ control: OpaquePointer) -> Bool {
        var list: OpaquePointer?
        guard snd_ctl_elem_list_malloc(&list) == 0, let list else { return false }
        defer { snd_ctl_elem_list_free(list) }
        guard snd_ctl_elem_list(control, list) == 0 else { return false }
        guard snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) == 0 else { return false }
        defer { snd_ctl_elem_list_free_space(list) }
        guard snd_ctl_elem_list(control, list) == 0 else { return false }
        return (0..<snd_ctl_elem_list_get_used(list)).contains { index in
            snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD
                && HeadphoneJack.isNamed(by: snd_ctl_elem_list_get_name(list, index))
        }
    }

    func read() -> Event {
        var event: OpaquePointer?
        guard snd_ctl_event_malloc(&event) == 0, let event else { return .gone }
        defer { snd_ctl_event_free(event) }
        let count = snd_ctl_read(control, event)
        guard count > 0 else { return count == -EAGAIN || count == 0 ? .other : .gone }
        guard snd_ctl_event_get_type(event) == SND_CTL_EVENT_ELEM,
            snd_ctl_event_elem_get_mask(event) & UInt32(SND_CTL_EVENT_MASK_VALUE) != 0,
            snd_ctl_event_elem_get_interface(event) == SND_CTL_ELEM_IFACE_CARD,
            HeadphoneJack.isNamed(by: snd_ctl_event_elem_get_name(event))
        else { return .other }
        return isPlugged(event) == false ? .unplugged : .other
    }

    /// True if the jack of an event is plugged. Cards that a program makes may tell its name without a number.
    private func isPlugged(_ event: OpaquePointer) -> Bool? {
        var identity: OpaquePointer?
        guard snd_ctl_elem_id_malloc(&identity) == 0, let identity else { return nil }
        defer { snd_ctl_elem_id_free(identity) }
        snd_ctl_event_elem_get_id(event, identity)
        var value: OpaquePointer?
        guard snd_ctl_elem_value_malloc(&value) == 0, let value else { return nil }
        defer { snd_ctl_elem_value_free(value) }
        snd_ctl_elem_value_set_id(value, identity)
        guard snd_ctl_elem_read(control, value) == 0 else { return nil }
        return snd_ctl_elem_value_get_boolean(value, 0) != 0
    }
}

enum HeadphoneJack {
    /// True if a control's name is that of a jack for headphones. Phantom jacks never change: the card can't tell.
    static func isNamed(by name: String) -> Bool {
        guard name.contains("Jack"), !name.contains("Phantom") else { return false }
        return name.contains("Headphone") || name.contains("Headset")
    }

    fileprivate static func isNamed(by name: UnsafePointer<CChar>?) -> Bool {
        name.map { isNamed(by: String(cString: $0)) } ?? false
    }
}

/// Runs `body` on a thread that `start` makes; when the task is cancelled, `end` has it return. False without a thread.
@concurrent
func untilCancelled(
    by start: @Sendable (@escaping @Sendable () -> Void) -> Bool, end: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable () -> Void
) async -> Bool {
    await withTaskCancellationHandler {
        await withCheckedContinuation { (ended: CheckedContinuation<Bool, Never>) in
            let isStarted = start {
                body()
                ended.resume(returning: true)
            }
            if !isStarted { ended.resume(returning: false) }
        }
    } onCancel: {
        end()
    }
}
