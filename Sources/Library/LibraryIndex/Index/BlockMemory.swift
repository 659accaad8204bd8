import Foundation
import Synchronization

/// The blocks of songs that were read before, by song number, for a generation: finding one in the database costs
/// several times the copy that an answer is. In a library too large for `limit`, half of it is for blocks that were
/// looked up one by one, as a search does, which costs four times as much as reading them in a row. Readers take no
/// lock.
// Safe to share: an entry is stored once, after the bytes that it stands for, by the thread that holds `end`; neither
// moves or changes until the object goes.
final class BlockMemory: @unchecked Sendable {
    private typealias Entry = Atomic<UInt32>

    private static let segmentSize = 1 << 20
    /// Blocks begin at multiples of this, behind their lengths; so an entry fits into 32 bits.
    private static let unit = 8
    private static let unitsPerSegment = segmentSize / unit
    private static let headerSize = MemoryLayout<UInt32>.size
    private static let usualBlock = 400
    /// Longer ones, which have whole texts in their comments, are not worth the room.
    private static let maxBlock = 32 << 10

    /// A 64th of the system's memory, or a 16th of what the process may have, at most 48 MiB.
    static let defaultLimit = min(
        48 << 20, Int(clamping: ProcessInfo.processInfo.physicalMemory / 64), memoryAllowance() / 16)

    /// Where each song's block is, in units from the first segment's start, plus one; 0 where none is remembered.
    private let entries: UnsafeMutableBufferPointer<Entry>
    private let segments: UnsafeMutableBufferPointer<UnsafeMutableRawPointer>
    /// How many segments blocks that were read in a row may fill.
    private let segmentsForScans: Int
    private let end = Mutex(0)

    init(capacity: Int, limit: Int = defaultLimit) {
        entries = .allocate(capacity: capacity)
        for index in 0..<capacity { entries.initializeElement(at: index, to: Entry(0)) }
        segments = .allocate(capacity: max(0, limit) / Self.segmentSize)
        segmentsForScans = capacity * Self.usualBlock <= limit ? segments.count : segments.count / 2
    }

    deinit {
        let count = end.withLock { ($0 + Self.unitsPerSegment - 1) / Self.unitsPerSegment }
        for segment in segments[..<count] { segment.deallocate() }
        segments.deallocate()
        entries.deinitialize().deallocate()
    }

    /// The block of a song if it is remembered; valid as long as this object.
    func block(of song: UInt32) -> UnsafeRawBufferPointer? {
        guard Int(song) < entries.count else { return nil }
        let entry = entries[Int(song)].load(ordering: .acquiring)
        guard entry > 0 else { return nil }
        let position = Int(entry) - 1
        let start = segments[position / Self.unitsPerSegment] + position % Self.unitsPerSegment * Self.unit
        let length = Int(start.load(as: UInt32.self))
        return UnsafeRawBufferPointer(start: start + Self.headerSize, count: length)
    }

    /// Remembers the block of a song, if there is room and no other thread is just remembering one.
    func remember(_ block: UnsafeRawBufferPointer, of song: UInt32, isScanned: Bool) {
        guard Int(song) < entries.count, !block.isEmpty, block.count <= Self.maxBlock else { return }
        _ = end.withLockIfAvailable { end in
            let units = (Self.headerSize + block.count + Self.unit - 1) / Self.unit
            var position = end
            // A block lies in one segment; the rest of the last one is lost.
            if position % Self.unitsPerSegment + units > Self.unitsPerSegment {
                position = (position / Self.unitsPerSegment + 1) * Self.unitsPerSegment
            }
            let segment = position / Self.unitsPerSegment
            guard segment < (isScanned ? segmentsForScans : segments.count),
                entries[Int(song)].load(ordering: .relaxed) == 0
            else { return }
            if position % Self.unitsPerSegment == 0 {
                segments[segment] = .allocate(byteCount: Self.segmentSize, alignment: Self.unit)
            }
            let start = segments[segment] + position % Self.unitsPerSegment * Self.unit
            start.storeBytes(of: UInt32(block.count), as: UInt32.self)
            UnsafeMutableRawBufferPointer(start: start + Self.headerSize, count: block.count).copyMemory(from: block)
            entries[Int(song)].store(UInt32(position + 1), ordering: .releasing)
            end = position + units
        }
    }
}
