/// Weights samples of 44.1 kHz by how loud people hear them, each piece alone; both sides at once.
///
/// - Isolation: one thread at a time.
/// - Source: the ReplayGain 1 proposal: a filter of the tenth order by Yule and Walker, then one of the second by
///   Butterworth.
final class LoudnessFilter {
    private typealias Sides = SIMD2<Double>

    private static let order = 10
    private static let yuleBack = [
        -3.47845948550071, 6.36317777566148, -8.54751527471874, 9.47693607801280, -8.81498681370155,
        6.85401540936998, -4.39470996079559, 2.19611684890774, -0.75104302451432, 0.13149317958808,
    ]
    private static let yuleFore = [
        0.05418656406430, -0.02911007808948, -0.00848709379851, -0.00851165645469, -0.00834990904936,
        0.02245293253339, -0.02596338512915, 0.01624864962975, -0.00240879051584, 0.00674613682247,
        -0.00187763777362,
    ]
    private static let butterBack = (-1.96977855582618, 0.97022847566350)
    private static let butterFore = (0.98500175787242, -1.97000351574484, 0.98500175787242)

    /// Samples, and those behind the first filter; each with silence in front.
    private let raw: UnsafeMutableBufferPointer<Sides>
    private let weighted: UnsafeMutableBufferPointer<Sides>
    private let frames: Int

    /// Prepares for pieces of a number of frames.
    init(frames: Int) {
        self.frames = frames
        raw = .allocate(capacity: frames + Self.order)
        weighted = .allocate(capacity: frames + Self.order)
        raw.initialize(repeating: .zero)
        weighted.initialize(repeating: .zero)
    }

    deinit {
        raw.deallocate()
        weighted.deallocate()
    }

    /// Puts a frame into the next piece.
    func set(_ frame: Int, _ left: Float, _ right: Float) {
        raw[frame + Self.order] = Sides(Double(left), Double(right))
    }

    /// Filters the piece; afterwards `power` tells of it.
    func run() {
        Self.yuleFore.withUnsafeBufferPointer { fore in
            Self.yuleBack.withUnsafeBufferPointer { back in
                for index in Self.order..<frames + Self.order { weighted[index] = yule(index, fore, back) }
            }
        }
        // The samples are not needed any more.
        var (before, earlier) = (Sides.zero, Sides.zero)
        for index in Self.order..<frames + Self.order {
            let fore =
                Self.butterFore.0 * weighted[index] + Self.butterFore.1 * weighted[index - 1]
                + Self.butterFore.2 * weighted[index - 2]
            let value = fore - Self.butterBack.1 * earlier - Self.butterBack.0 * before
            (earlier, before) = (before, value)
            raw[index] = value
        }
    }

    /// The value before comes last: all else can be summed up while that one is still being worked out.
    @inline(__always)
    private func yule(_ index: Int, _ fore: UnsafeBufferPointer<Double>, _ back: UnsafeBufferPointer<Double>) -> Sides {
        var sum = fore[0] * raw[index] + fore[1] * raw[index - 1]
        var other = Sides.zero
        var step = Self.order
        while step > 1 {
            sum += fore[step] * raw[index - step]
            other += back[step - 1] * weighted[index - step]
            step -= 1
        }
        return sum - other - back[0] * weighted[index - 1]
    }

    /// The sum of the squares of both sides.
    func power(_ frames: Range<Int>) -> Double {
        var sum = Sides.zero
        for index in frames { sum += raw[index + Self.order] * raw[index + Self.order] }
        return sum.sum()
    }
}
