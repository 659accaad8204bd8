/// Reads what an audio file says of its ends, and the APE tag that lies at one of them.
///
/// - Shape: an odd first byte is a file whose size is not known; the rest is the file.
enum AudioHeaderFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        if let complaint = UntrustedInput.readHeader(Array(bytes.dropFirst()), isGrowing: first & 1 == 1) {
            throw FuzzFinding(complaint)
        }
    }
}
