/// How the sound that a sink is given ahead of hearing is spread over its buffers. The volume can't reach it any more.
struct SinkBuffer {
    /// How much that is, in microseconds, in addition to what the device itself adds.
    let ahead: Int
    /// True if a ring before the device's buffer has a third as much again: as `gaps.c` makes it.
    let hasRing: Bool
    /// True if the volume is applied behind what waits.
    let isScaledLate: Bool

    /// The device's buffer, in microseconds; the rest waits for room, in part with the volume already.
    var deviceTime: Int {
        let own = ahead - (isScaledLate ? 20_000 : 60_000)
        return max(ahead / 4, hasRing ? own * 3 / 4 : own)
    }

    /// How often the device asks for more, in microseconds.
    var periodTime: Int { deviceTime / (hasRing ? 6 : 5) }

    /// How much may wait, in milliseconds: several blocks where the volume can still reach them, since waking up costs
    /// more, and for a machine that is busy. Elsewhere it is one piece: with none, every time that the output's thread
    /// wakes late would take sound from the device's buffer and never give it back, as it can't see that there is room.
    var stock: Int { isScaledLate ? 60 : piece }
    /// How long the pieces are in which sound is given, in milliseconds.
    var piece: Int { isScaledLate ? 20 : 10 }
}
