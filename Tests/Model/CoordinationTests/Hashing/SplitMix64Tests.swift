import Coordination
import Testing

@Suite
struct SplitMix64Tests {
    // The first numbers of the seed 1234567 stand in many implementations' tests.
    @Test("the sequence is the published one")
    func sequence() {
        var numbers = SplitMix64(seed: 1_234_567)
        #expect(numbers.next() == 6_457_827_717_110_365_317)
        #expect(numbers.next() == 3_203_168_211_198_807_973)
        #expect(numbers.next() == 9_817_491_932_198_370_423)
    }

    @Test("a number can be had without those before it")
    func places() {
        var numbers = SplitMix64(seed: 42)
        for place in 1...20 as ClosedRange<UInt64> {
            #expect(SplitMix64.number(at: place, seed: 42) == numbers.next())
        }
    }

    @Test("without a seed, no two are alike")
    func unseeded() {
        var (one, other) = (SplitMix64(), SplitMix64())
        #expect(one.next() != other.next())
    }
}
