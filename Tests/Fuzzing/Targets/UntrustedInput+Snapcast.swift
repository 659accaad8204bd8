import MusicModel

@testable import AudioOutputs

extension UntrustedInput {
    /// Takes in what a Snapcast server sends, and does with all rooms what clients can do, after every message.
    ///
    /// - Parameter pieceLength: how many bytes arrive at a time.
    /// - Returns: what is wrong with the outcome; nil as a rule.
    static func hearSnapcast(_ bytes: [UInt8], pieceLength: Int) -> String? {
        var (lines, rooms) = (SnapcastLineBuffer(), SnapcastRooms(stream: "Segue"))
        rooms.connected()
        for start in stride(from: 0, to: bytes.count, by: max(1, pieceLength)) {
            let piece = Array(bytes[start..<min(bytes.count, start + max(1, pieceLength))])
            guard let complete = try? lines.add(piece) else { return nil }
            for (number, line) in complete.enumerated() {
                guard let message = SnapcastMessage.parse(line) else { continue }
                rooms.handle(message)
                if let complaint = useRooms(&rooms, number) { return complaint }
            }
        }
        return useRooms(&rooms, 1)
    }

    /// Sets and switches every room; the number makes it another way after each message.
    private static func useRooms(_ rooms: inout SnapcastRooms, _ number: Int) -> String? {
        for (index, room) in rooms.rooms.enumerated() {
            let texts = [room.name] + room.attributes.map { $0.key + $0.value }
            if texts.contains(where: { $0.utf8.contains { $0 < 0x20 } }) { return "a control character in \(texts)" }
            rooms.setVolume(room.id, (index + number) * 7 % 101)
            _ = rooms.setLatency(room.id, (index - number) * 77 % 10_000)
            rooms.setEnabled(room.id, (index + number).isMultiple(of: 2))
        }
        guard rooms.clients.allSatisfy({ (0...100).contains($0.volume.percent) }) else {
            return "a volume out of range"
        }
        guard rooms.clients.allSatisfy({ SnapcastMessage.latencies.contains($0.latency ?? 0) }) else {
            return "a latency out of range"
        }
        // A message that still waits when the next comes is handled otherwise.
        guard !number.isMultiple(of: 3) else { return nil }
        for (number, request) in rooms.takeRequests() where request.line(id: number).filter({ $0 == 10 }).count != 1 {
            return "a request that is no line: \(request)"
        }
        return nil
    }
}
