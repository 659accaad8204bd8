package import MusicModel

/// Edits of the queue and of the options that touch the order.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx, src/queue/Playlist.cxx, src/command/PositionArg.cxx.
extension PlayerStateMachine {
    /// Inserts songs, at the end when `position` is nil, and returns their ids.
    /// - Throws: `queueFull`, `badRange`, and `notPlaying` for a relative position without a current song.
    package mutating func insert(
        _ songs: [QueueCandidate], at position: QueuePosition?
    ) throws(PlayerError) -> [QueueEntryID] {
        let target = if let position { try destination(of: 0..<0, position) } else { queue.count }
        guard queue.count + songs.count <= queue.limit, queue.hasRoom(for: songs) else { throw PlayerError(.queueFull) }
        guard !songs.isEmpty else { return [] }
        let floor = firstOpenIndex
        var ids: [QueueEntryID] = []
        keepingCurrent { machine in
            ids = machine.queue.insert(songs, at: target)
            machine.ordering.order.insert(
                songs.count, at: target, floor: floor, using: &machine.ordering.generator,
                priority: machine.queue.priority(at:))
        }
        changed(.queue)
        refreshNext()
        return ids
    }

    /// Puts songs in place of all there are, with their priorities; the queue stays as it is where they don't fit.
    package mutating func replace(
        _ songs: [QueueCandidate], _ priorities: [Int] = []
    ) throws(PlayerError) -> [QueueEntryID] {
        guard songs.count <= queue.limit, queue.hasRoom(for: songs, inPlaceOf: queue.extraSize)
        else { throw PlayerError(.queueFull) }
        clear()
        let ids = try insert(songs, at: nil)
        var runs: [(priority: Int, range: Range<Int>)] = []
        for (position, priority) in priorities.prefix(songs.count).enumerated() where priority > 0 {
            if let last = runs.last, last.priority == priority, last.range.upperBound == position {
                runs[runs.count - 1].range = last.range.lowerBound..<position + 1
            } else {
                runs.append((priority, position..<position + 1))
            }
        }
        for (priority, runs) in Dictionary(grouping: runs, by: \.priority).sorted(by: { $0.key < $1.key }) {
            setPriority(priority, runs.map(\.range))
        }
        return ids
    }

    /// Removes a range, whose end is clipped.
    package mutating func delete(_ range: Range<Int>) throws(PlayerError) {
        let range = try clip(range)
        guard !range.isEmpty else { return }
        delete(RangeSet(range))
    }

    /// Removes an entry, wherever it is by now.
    package mutating func delete(id: QueueEntryID) throws(PlayerError) {
        let position = try requirePosition(of: id)
        delete(RangeSet(position..<position + 1))
    }

    /// Removes the entries with these ids; those that aren't there any more are passed over.
    package mutating func delete(_ ids: [QueueEntryID]) {
        let positions = ids.compactMap { queue.position(of: $0) }.sorted()
        guard !positions.isEmpty else { return }
        delete(RangeSet(positions.map { $0..<$0 + 1 }))
    }

    /// Removes songs of the library, but never the one that is being played.
    package mutating func removeSongs(_ songs: Set<SongID>) {
        let playing = transport == .stop ? nil : currentPosition
        var removed = RangeSet<Int>()
        for (position, entry) in queue.entries.enumerated() where position != playing {
            guard let song = entry.songID, songs.contains(song) else { continue }
            removed.insert(contentsOf: position..<position + 1)
        }
        guard !removed.isEmpty else { return }
        noteDeparture(of: removed)
        delete(removed)
    }

    /// Empties the queue.
    package mutating func clear() {
        // Entries that waited to come back do so no more, also after a restart: that is a change of the queue.
        if !departed.isEmpty { changed(.queue) }
        departed = []
        if transport != .stop { halt() }
        if current != nil { changed(.player) }
        current = nil
        guard queue.count > 0 || !options.lastLoadedPlaylist.isEmpty else { return }
        options.lastLoadedPlaylist = ""
        removeEntries(RangeSet(0..<queue.count))
        changed(.queue)
        refreshNext()
    }

    /// Moves a range, whose end is not clipped.
    package mutating func move(_ range: Range<Int>, to position: QueuePosition) throws(PlayerError) {
        let target = try destination(of: range, position)
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= queue.count
        else { throw PlayerError(.badRange) }
        guard target != range.lowerBound else { return }
        keepingCurrent { machine in
            machine.queue.move(range, to: target)
            machine.ordering.order.movePositions(range, to: target)
        }
        changed(.queue)
        refreshNext()
    }

    /// Moves an entry, wherever it is by now; nothing else changes its order.
    package mutating func move(id: QueueEntryID, to position: QueuePosition) throws(PlayerError) {
        let from = try requirePosition(of: id)
        try move(from..<from + 1, to: position)
    }

    /// Swaps two positions; in a random order each song keeps its turn.
    package mutating func swap(_ first: Int, _ second: Int) throws(PlayerError) {
        let valid = 0..<queue.count
        guard valid.contains(first), valid.contains(second) else { throw PlayerError(.badRange) }
        guard first != second else { return }
        keepingCurrent { machine in
            machine.queue.swap(first, second)
            machine.ordering.order.swapPositions(first, second)
        }
        changed(.queue)
        refreshNext()
    }

    /// Swaps two entries, wherever they are by now.
    package mutating func swap(id first: QueueEntryID, _ second: QueueEntryID) throws(PlayerError) {
        try swap(requirePosition(of: first), requirePosition(of: second))
    }

    /// Shuffles a range, or all; the song that is being played comes first in it. When stopped, none is current then.
    package mutating func shuffle(_ range: Range<Int>?) throws(PlayerError) {
        let range = try clip(range ?? 0..<queue.count)
        guard range.count >= 2 else { return }
        if transport == .stop, current != nil {
            current = nil
            changed(.player)
        }
        let first = currentPosition.flatMap { range.contains($0) ? $0 : nil }
        keepingCurrent { $0.queue.shuffle(range, keepingFirst: first, using: &$0.ordering.generator) }
        changed(.queue)
        refreshNext()
    }

    /// Sets the priority of a range, whose end is clipped.
    package mutating func setPriority(_ priority: Int, range: Range<Int>) throws(PlayerError) {
        setPriority(priority, [try clip(range)])
    }

    /// Sets the priority of the entries with these ids; those before one that isn't there are set.
    package mutating func setPriority(_ priority: Int, ids: [QueueEntryID]) throws(PlayerError) {
        var positions: [Range<Int>] = []
        var isComplete = true
        for id in ids {
            guard let position = queue.position(of: id) else {
                isComplete = false
                break
            }
            positions.append(position..<position + 1)
        }
        setPriority(priority, positions)
        if !isComplete { throw PlayerError(.noSuchSong) }
    }

    private mutating func setPriority(_ priority: Int, _ ranges: [Range<Int>]) {
        var former: [Int: Int] = [:]
        var isChanged = false
        for range in ranges {
            if ordering.order.isRandom {
                former.merge(queue.priorities(at: range, otherThan: priority)) { first, _ in first }
            }
            if queue.setPriority(priority, at: range) { isChanged = true }
        }
        guard isChanged else { return }
        if ordering.order.isRandom {
            keepingCurrent { machine in
                machine.ordering.order.reprioritise(
                    former, to: priority, current: machine.current, using: &machine.ordering.generator,
                    priority: machine.queue.priority(at:))
            }
        }
        ordering.firstOfNext = nil
        changed(.queue)
        refreshNext()
    }

    /// Changes a stream's tags; false when the entry is a song of the library.
    /// - Throws: `noSuchSong`; `queueFull` where all queues have no room for the tags.
    package mutating func setStreamTags(
        id: QueueEntryID, _ change: (inout [TagValue]) -> Void
    ) throws(PlayerError) -> Bool {
        let position = try requirePosition(of: id)
        var entry = queue[position]
        guard case .stream(let url, var tags) = entry.item else { return false }
        let before = tags
        change(&tags)
        guard tags != before else { return true }
        entry.item = .stream(url: url, tags: tags)
        guard queue.hasRoom(for: entry, at: position) else { throw PlayerError(.queueFull) }
        queue.setItem(entry.item, at: position)
        changed(.queue)
        return true
    }

    /// Sets the part of its song that an entry plays, in seconds of it; nil ends are the song's own. Prepares it again.
    /// - Throws: `noSuchSong`; `isCurrent` unless stopped; `badOffset`; `queueFull` where queues have no room for it.
    /// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `SetSongIdRange`.
    package mutating func setRange(id: QueueEntryID, start: Duration, end: Duration?) throws(PlayerError) {
        let position = try requirePosition(of: id)
        guard transport == .stop || id != currentEntry?.id else { throw PlayerError(.isCurrent) }
        var end = end
        var entry = queue[position]
        if let duration = entry.duration {
            guard start <= duration else { throw PlayerError(.badOffset) }
            if let given = end, given >= duration { end = nil }
        }
        entry.range = SongRange(start: start, end: end)
        guard queue.hasRoom(for: entry, at: position) else { throw PlayerError(.queueFull) }
        queue.setRange(entry.range, at: position)
        plays.prepareAnew(id)
        changed(.queue)
        refreshNext()
    }

    /// Marks the entries of songs whose tags were edited as changed, so that plchanges lists them.
    package mutating func songsChanged(_ songs: Set<SongID>) { if queue.touch(songs) { changed(.queue) } }
    mutating func setRepeat(_ value: Bool) { setOption(\.isRepeating, fixed.isRepeating ?? value) }
    mutating func setSingle(_ value: OneshotOption) { setOption(\.single, fixed.single ?? value) }
    mutating func setConsume(_ value: OneshotOption) { setOption(\.consume, fixed.consume ?? value) }

    /// Sets `random`: a song that is being played comes first in the new order.
    package mutating func setRandom(_ value: Bool) {
        let value = fixed.isRandom ?? value
        guard value != options.isRandom else { return }
        options.isRandom = value
        if value {
            if transport == .stop, current != nil {
                current = nil
                changed(.player)
            }
            reshuffle(first: currentEntry?.id)
        } else {
            keepingCurrent { $0.ordering.order.restore() }
        }
        changed(.options)
        refreshNext()
    }

    mutating func setOption<Value: Equatable>(_ option: WritableKeyPath<PlaybackOptions, Value>, _ value: Value) {
        guard options[keyPath: option] != value else { return }
        options[keyPath: option] = value
        changed(.options)
        refreshNext()
    }

    /// Takes entries out of queue and order; `current` must not be among them or is lost.
    mutating func removeEntries(_ positions: RangeSet<Int>) {
        keepingCurrent { machine in
            let count = machine.queue.count
            machine.queue.remove(positions)
            machine.ordering.order.remove(positions, from: count)
        }
        changed(.queue)
    }

    /// The first index that new songs may be drawn to: what plays and what is prepared keep their ordering.
    private var firstOpenIndex: Int {
        guard let current else { return 0 }
        if prepared != nil, case .index(let next) = successor(of: current) { return next + 1 }
        return current + 1
    }

    /// Deletes; a song that is being played gives way to the next one that is left, or stops when paused.
    private mutating func delete(_ positions: RangeSet<Int>) {
        guard let current, let position = currentPosition, positions.contains(position) else {
            removeEntries(positions)
            return refreshNext()
        }
        let replacement = transport == .stop ? nil : replacement(of: current, without: positions)
        let isNewOrder = replacement != nil && replacement == ordering.firstOfNext
        removeEntries(positions)
        if isNewOrder { reshuffle(first: replacement) }
        if transport == .play, let replacement, let index = index(of: replacement) {
            start(index)
            resetPriorityOfCurrent()
        } else {
            if transport != .stop { halt() }
            self.current = replacement.flatMap { index(of: $0) }
            changed(.player)
        }
        refreshNext()
    }

    private func replacement(of current: Int, without positions: RangeSet<Int>) -> QueueEntryID? {
        if successor(of: current) == .same { return nil }
        if let nextID, let next = queue.position(of: nextID), !positions.contains(next) { return nextID }
        let later = Array(current + 1..<queue.count) + (options.isRepeating ? Array(0..<current) : [])
        for index in later where !positions.contains(ordering.order.position(at: index)) {
            return queue.id(at: ordering.order.position(at: index))
        }
        return nil
    }

    private func clip(_ range: Range<Int>) throws(PlayerError) -> Range<Int> {
        guard range.lowerBound >= 0, range.lowerBound <= queue.count else { throw PlayerError(.badRange) }
        return range.lowerBound..<min(range.upperBound, queue.count)
    }

    /// Where a moved block begins afterwards, or new entries where it is empty; relative positions count without it.
    private func destination(of range: Range<Int>, _ position: QueuePosition) throws(PlayerError) -> Int {
        let target: Int
        switch position {
        case .absolute(let place): target = place
        case .afterCurrent(let distance): target = try currentPosition(without: range) + 1 + distance
        case .beforeCurrent(let distance): target = try currentPosition(without: range) - distance
        }
        guard target >= 0, target + range.count <= queue.count else { throw PlayerError(.badRange) }
        return target
    }

    private func currentPosition(without range: Range<Int>) throws(PlayerError) -> Int {
        guard let position = currentPosition else { throw PlayerError(.notPlaying) }
        guard !range.contains(position) else { throw PlayerError(.badRange) }
        return position >= range.upperBound ? position - range.count : position
    }
}
