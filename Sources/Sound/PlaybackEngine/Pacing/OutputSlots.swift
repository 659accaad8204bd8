import AudioOutputs
import Outputs
import Playback

/// An engine's list of outputs as clients see it: numbers stay as they are while the program runs.
struct OutputSlots: Sendable {
    private enum Content: Sendable {
        case output(OutputThread)
        /// A device that plays what an output sends.
        case room(OutputThread, id: String)
        /// The slot of an output that plays for another engine, and what clients set there.
        case away(isEnabled: Bool)
    }

    private struct Slot: Sendable {
        var name: String
        var content: Content
    }

    private var slots: [Slot]

    init(_ threads: [OutputThread]) { slots = threads.map { Slot(name: $0.specification.name, content: .output($0)) } }

    // MARK: What clients see

    /// The outputs as clients list them.
    mutating func statuses() -> [OutputStatus] {
        let rooms = takeInRooms()
        let names = roomNames
        return slots.enumerated().compactMap { id, slot in
            switch slot.content {
            case .output(let thread):
                let report = thread.report
                return OutputStatus(
                    id: id, name: slot.name, plugin: thread.specification.type.rawValue, isEnabled: report.isEnabled,
                    problem: report.problem, listeners: report.listeners, underruns: report.underruns,
                    failures: report.failures, attributes: thread.attributes, chosenAttributes: thread.chosenAttributes)
            case .room(let thread, let room):
                // One that is gone, as a group whose clients were put elsewhere, leaves its number free.
                guard let found = rooms[RoomKey(thread, room)] else { return nil }
                return OutputStatus(
                    id: id, name: slot.name, plugin: thread.specification.type.rawValue,
                    isEnabled: found.isEnabled, isRemote: true,
                    attributes: found.attributes { names[RoomKey(thread, $0)] })
            case .away(let isEnabled):
                return OutputStatus(id: id, name: slot.name, plugin: "dummy", isEnabled: isEnabled, isMovedAway: true)
            }
        }
    }

    private var threads: [OutputThread] {
        slots.compactMap { slot in if case .output(let thread) = slot.content { thread } else { nil } }
    }

    var mixers: [any OutputMixer] { threads.filter(\.report.isEnabled).compactMap(\.mixer) }

    /// The average of all volumes; the software mixer's counts even where its outputs are disabled.
    /// - Source: MPD v0.24.13 src/mixer/All.cxx. Where no output has a volume, MPD has none.
    func volume(software: Int) -> Int {
        let hardware = mixers.compactMap(\.volume)
        let volumes = hardware + threads.filter { $0.specification.mixerType == .software }.map { _ in software }
        return volumes.isEmpty ? software : volumes.reduce(0, +) / volumes.count
    }

    private struct RoomKey: Hashable {
        let thread: ObjectIdentifier
        let id: String

        init(_ thread: OutputThread, _ id: String) { (self.thread, self.id) = (ObjectIdentifier(thread), id) }
    }

    private var roomNames: [RoomKey: String] {
        var names: [RoomKey: String] = [:]
        for slot in slots {
            if case .room(let thread, let id) = slot.content { names[RoomKey(thread, id)] = slot.name }
        }
        return names
    }

    /// Gives new devices a slot, and all of them their names.
    private mutating func takeInRooms() -> [RoomKey: Room] {
        var rooms: [RoomKey: Room] = [:]
        var known: Set<RoomKey> = []
        for slot in slots { if case .room(let thread, let id) = slot.content { known.insert(RoomKey(thread, id)) } }
        let found = threads.flatMap { thread in (thread.rooms?.rooms ?? []).map { (thread, $0) } }
        for (thread, room) in found { rooms[RoomKey(thread, room.id)] = room }
        for (thread, room) in found where known.insert(RoomKey(thread, room.id)).inserted {
            add(room, of: thread, beside: rooms)
        }
        guard !rooms.isEmpty else { return rooms }
        nameRooms(rooms)
        return rooms
    }

    /// Gives a device the slot that it left here, or one of its name that is gone, or the last one.
    private mutating func add(_ room: Room, of thread: OutputThread, beside rooms: [RoomKey: Room]) {
        let content = Content.room(thread, id: room.id)
        let left = slots.firstIndex { slot in
            switch slot.content {
            case .away: slot.name == room.name
            case .room(let owner, let id): slot.name == room.name && rooms[RoomKey(owner, id)] == nil
            case .output: false
            }
        }
        if let left { slots[left].content = content } else { slots.append(Slot(name: room.name, content: content)) }
    }

    /// Names devices as they are named elsewhere; of several with one name all but the first get a number.
    private mutating func nameRooms(_ rooms: [RoomKey: Room]) {
        var taken: Set<String> = []
        for slot in slots { if case .room = slot.content { continue } else { taken.insert(slot.name) } }
        for index in slots.indices {
            guard case .room(let thread, let id) = slots[index].content,
                let wanted = rooms[RoomKey(thread, id)]?.name
            else { continue }
            var (name, number) = (wanted, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(wanted) (\(number))"
            }
            slots[index].name = name
        }
    }

    // MARK: What clients change

    mutating func setEnabled(_ id: Int, _ isEnabled: Bool) -> Bool {
        guard slots.indices.contains(id) else { return false }
        switch slots[id].content {
        case .output(let thread): return thread.setEnabled(isEnabled)
        case .room(let thread, let room):
            thread.rooms?.setRoom(room, enabled: isEnabled)
            return true
        case .away(let before):
            slots[id].content = .away(isEnabled: isEnabled)
            return before != isEnabled
        }
    }

    func output(_ id: Int) -> OutputThread? {
        guard slots.indices.contains(id), case .output(let thread) = slots[id].content else { return nil }
        return thread
    }

    func set(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        guard slots.indices.contains(id) else { throw .unsupported }
        switch slots[id].content {
        case .output(let thread): try thread.set(attribute, to: value)
        case .room(let thread, let room):
            guard let control = thread.rooms else { throw .unsupported }
            try control.setRoom(room, attribute: attribute, to: value)
        case .away: throw .unsupported
        }
    }

    // MARK: Exchanging outputs

    /// Lets an output of that name go, with the devices that it feeds; nil if there is none.
    mutating func take(_ name: String) -> OutputThread? {
        for slot in slots {
            guard slot.name == name, case .output(let thread) = slot.content else { continue }
            release(thread)
            return thread
        }
        return nil
    }

    private mutating func release(_ thread: OutputThread) {
        for index in slots.indices {
            switch slots[index].content {
            case .output(let owner) where owner === thread, .room(let owner, _) where owner === thread:
                slots[index].content = .away(isEnabled: false)
            default: continue
            }
        }
    }

    /// Takes an output in at the slot that it left here, or the last one.
    mutating func take(in thread: OutputThread) {
        let name = thread.specification.name
        if let index = slots.firstIndex(where: { $0.name == name }) {
            slots[index].content = .output(thread)
        } else {
            slots.append(Slot(name: name, content: .output(thread)))
        }
    }
}
