/// The parts that take bytes from outside, each alone: what the fuzzer feeds.
package enum UntrustedInput {
    /// Reads the header of an audio file that consists of these bytes, and computes with all that it says.
    ///
    /// - Parameter isGrowing: whether the file's size is not known yet.
    /// - Returns: what is wrong with the outcome; nil as a rule.
    package static func readHeader(_ bytes: [UInt8], isGrowing: Bool) -> String? {
        let whole = HeaderBytes(bytes)
        let header = TrackHeader.read(isGrowing ? HeaderBytes(size: nil, read: whole.bytes(at:count:)) : whole)
        for patch in header.patches where patch.offset < 0 || patch.bytes.count > 16 {
            return "a patch at \(patch.offset)"
        }
        guard let trim = header.trim else { return nil }
        guard trim.isPlausible else { return "an unlikely trim: \(trim)" }
        for rate in [SoundLimits.rates.lowerBound, 44_100, SoundLimits.rates.upperBound] {
            guard trim.skip(at: rate) >= 0, trim.frames(at: rate) ?? 0 >= 0 else { return "\(trim) at \(rate) Hz" }
        }
        return trim.skipped >= 0 && trim.duration ?? 0 >= 0 ? nil : "times below zero: \(trim)"
    }

    /// Takes in what a Snapcast server sends, and does with all rooms what clients can do.
    ///
    /// - Parameter pieceLength: how many bytes arrive at a time.
    /// - Returns: what is wrong with the outcome; nil as a rule.
    package static func hearSnapcast(_ bytes: [UInt8], pieceLength: Int) -> String? {
        var (lines, rooms) = (SnapcastLineBuffer(), SnapcastRooms(stream: "Segue"))
        for start in stride(from: 0, to: bytes.count, by: max(1, pieceLength)) {
            let piece = Array(bytes[start..<min(bytes.count, start + max(1, pieceLength))])
            guard let complete = try? lines.add(piece) else { return nil }
            for message in complete.compactMap({ SnapcastMessage.parse($0) }) { rooms.heed(message) }
        }
        for (index, room) in rooms.rooms.enumerated() {
            let texts = [room.name] + room.attributes.map { $0.key + $0.value }
            if texts.contains(where: { $0.utf8.contains { $0 < 0x20 } }) { return "a control character in \(texts)" }
            rooms.setVolume(room.id, index * 7 % 101)
            rooms.setEnabled(room.id, index % 2 == 0)
        }
        guard rooms.clients.allSatisfy({ (0...100).contains($0.volume.percent) }) else {
            return "a volume out of range"
        }
        for request in rooms.takeRequests() where request.line(id: 1).filter({ $0 == 10 }).count != 1 {
            return "a request that is no line: \(request)"
        }
        return nil
    }
}
