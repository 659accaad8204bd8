/// Reads the header of a picture and computes with all that it says; nothing is decoded.
///
/// - Shape: the whole input is the file.
enum PictureFuzz {
    static func run(_ bytes: [UInt8]) throws {
        if let complaint = UntrustedInput.readPicture(bytes) { throw FuzzFinding(complaint) }
    }
}
