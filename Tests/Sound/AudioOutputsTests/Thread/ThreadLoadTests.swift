import Coordination
import Foundation
import Testing

@testable import AudioOutputs

@Suite("How busy a thread is")
struct ThreadLoadTests {
    /// Whether a thread is found restless at each of some looks, half a second apart, when it ran so much before each.
    private func check(_ shares: [Double]) -> [Bool] {
        var load = ThreadLoad()
        var (now, spent) = (Nanoseconds.seconds(100), Nanoseconds.seconds(3))
        _ = load.isRestless(7, at: now) { _ in spent }
        return shares.map { share in
            now += .milliseconds(500)
            spent += Nanoseconds.milliseconds(500) * share
            return load.isRestless(7, at: now) { _ in spent }
        }
    }

    @Test("a thread that runs in circles is noticed after a second and a half, one that rests between its work is not")
    func circles() {
        #expect(check([1, 0.95, 1, 0.99]) == [false, false, true, true])
        #expect(check([0.5, 0.8, 0.84, 0.8]) == [false, false, false, false])
        // A rest begins the count anew.
        #expect(check([1, 1, 0.2, 1, 1, 1]) == [false, false, false, false, false, true])
    }

    @Test("another thread is counted from its beginning, and looks in between change nothing")
    func others() {
        var load = ThreadLoad()
        var answers: [Bool] = []
        for step in 0..<20 {
            let now = Nanoseconds.milliseconds(100 * step)
            answers.append(load.isRestless(step < 10 ? 1 : 2, at: now) { _ in now })
        }
        #expect(!answers.contains(true), "neither was looked at for a second and a half")
        let ends = [2500, 3000].map { now in load.isRestless(2, at: .milliseconds(now)) { _ in .milliseconds(now) } }
        #expect(ends == [false, true])
    }

    @Test("the system tells how long a thread has run")
    func system() throws {
        let number = try #require(Self.current)
        let before = try #require(ThreadLoad.time(of: number))
        var (after, sum) = (before, 0)
        // This thread runs, or waits for a processor, until that has been counted.
        while after - before < .milliseconds(20) {
            for value in 0..<10_000 { sum &+= value }
            after = try #require(ThreadLoad.time(of: number))
        }
        #expect(sum != 1)
    }

    /// The system's number of the calling thread, from a link such as `12/task/34`.
    private static var current: Int32? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link?.split(separator: "/").last.flatMap { Int32($0) }
    }

    @Test("where there is no thread, nothing is busy")
    func none() {
        var load = ThreadLoad()
        for second in 0..<5 {
            let isRestless = load.isRestless(0, at: .seconds(second))
            #expect(!isRestless)
        }
        #expect(ThreadLoad.time(of: 0) == nil)
    }
}
