import GStreamerAudio

/// Takes in what a Snapcast server sends over its JSON-RPC.
///
/// - Shape: the first byte says how many bytes arrive at a time, 0 that all do; the rest is what the server sends.
enum SnapcastFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let length = first == 0 ? bytes.count : Int(first)
        if let complaint = UntrustedInput.hearSnapcast(Array(bytes.dropFirst()), pieceLength: length) {
            throw FuzzFinding(complaint)
        }
    }
}
