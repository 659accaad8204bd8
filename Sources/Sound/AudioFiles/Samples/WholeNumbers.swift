/// Samples that are whole numbers of 32 bits, and floats, which hold 24 of these bits.
enum WholeNumbers {
    /// The samples as floats of which 1 is full scale, and whether these hold all that the whole numbers have.
    static func floats(_ bytes: UnsafeRawBufferPointer) -> (samples: [Float], areExact: Bool) {
        let count = bytes.count / 4
        var lost: Int64 = 0
        let samples = [Float](unsafeUninitializedCapacity: count) { target, filled in
            for index in 0..<count {
                let value = bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
                let float = Float(value)
                lost |= Int64(float) ^ Int64(value)
                target.initializeElement(at: index, to: float * scale)
            }
            filled = count
        }
        return (samples, lost == 0)
    }

    private static let scale: Float = 1 / 2_147_483_648
}
