import Testing

@testable import MusicModel

@Suite("Arithmetic with numbers from outside")
struct CheckedArithmeticTests {
    @Test("a sum that doesn't fit is the bound beyond which it lies")
    func sums() {
        #expect(Int.max.addingClamped(1) == .max)
        #expect(Int.min.addingClamped(-1) == .min)
        #expect(Int.max.addingClamped(-1) == .max - 1)
        #expect(UInt8(250).addingClamped(10) == 255)
        #expect(2.addingClamped(3) == 5)
    }

    @Test("a difference that doesn't fit is the bound beyond which it lies")
    func differences() {
        #expect(Int.min.subtractingClamped(1) == .min)
        #expect(Int.max.subtractingClamped(-1) == .max)
        #expect(0.subtractingClamped(Int.min) == .max)
        #expect(UInt8(3).subtractingClamped(4) == 0)
        #expect(3.subtractingClamped(4) == -1)
    }

    @Test("a product that doesn't fit is the bound beyond which it lies")
    func products() {
        #expect(Int.max.multipliedClamped(by: 2) == .max)
        #expect(Int.max.multipliedClamped(by: -2) == .min)
        #expect(Int.min.multipliedClamped(by: -1) == .max)
        #expect(Int.min.multipliedClamped(by: 2) == .min)
        #expect(UInt32(1 << 31).multipliedClamped(by: 2) == .max)
        #expect(6.multipliedClamped(by: -7) == -42)
    }

    @Test(
        "a real number becomes the nearest whole one that fits",
        arguments: [
            (2.9, 2), (-2.9, -2), (0, 0), (1e300, Int.max), (-1e300, .min), (.infinity, .max), (-.infinity, .min),
            (.nan, 0), (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
        ]
    )
    func realNumbers(value: Double, expected: Int) { #expect(Int(saturating: value) == expected) }

    @Test("a real number below zero is 0 without a sign, and one above 255 is 255 in a byte")
    func bytes() {
        #expect(UInt8(saturating: -0.5) == 0)
        #expect(UInt8(saturating: -3) == 0)
        #expect(UInt8(saturating: 255.9) == 255)
        #expect(UInt8(saturating: 256) == 255)
    }

    @Test("a value beyond a range becomes its end")
    func ranges() {
        #expect(7.clamped(to: 0...5) == 5)
        #expect((-1).clamped(to: 0...5) == 0)
        #expect(3.clamped(to: 0...5) == 3)
    }

    @Test(
        "seconds of any size are a duration",
        arguments: [
            (1.5, Duration.milliseconds(1500)), (-1, .zero), (.nan, .zero), (.infinity, .maxFromOutside),
            (-.infinity, .zero), (1e300, .maxFromOutside), (2_147_483_649, .maxFromOutside),
        ]
    )
    func seconds(value: Double, expected: Duration) { #expect(Duration.seconds(clamping: value) == expected) }

    @Test("bounds of a duration may be negative, or narrower")
    func boundsOfDurations() {
        #expect(Duration.seconds(clamping: -1e300, to: .seconds(-5) ... .zero) == .seconds(-5))
        #expect(Duration.seconds(clamping: Int.max, to: .zero ... .seconds(3600)) == .seconds(3600))
        #expect(Duration.seconds(clamping: UInt64.max) == .maxFromOutside)
        #expect(Duration.milliseconds(clamping: Int.min) == .zero)
        #expect(Duration.milliseconds(clamping: 250) == .milliseconds(250))
    }
}
