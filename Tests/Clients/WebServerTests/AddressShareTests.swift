import NIOCore
import Testing

@testable import WebServer

@Suite("Shares of addresses")
struct AddressShareTests {
    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }

    @Test("one address has a quarter of the places, with IPv6 one network of 64 bits, until it leaves some")
    func quarter() throws {
        let shares = AddressShares(16)
        var first = try (0..<5).map { _ in shares.take(try address("192.168.1.2")) }
        #expect(first.map { $0 != nil } == [true, true, true, true, false])
        let network = try (1...5).map { shares.take(try address("2001:db8::\($0)")) }
        #expect(network.count { $0 != nil } == 4)
        #expect(shares.take(try address("2001:db8:0:1::1")) != nil)
        first[0] = nil
        let again = try (0..<2).map { _ in shares.take(try address("::ffff:192.168.1.2")) }
        #expect(again.count { $0 != nil } == 1)
    }

    @Test("places are free again when nobody holds them")
    func freed() throws {
        let shares = AddressShares(4)
        for number in 0..<100 { #expect(shares.take(try address("10.0.0.\(number)")) != nil) }
        let held = try (0..<5).map { shares.take(try address("10.0.1.\($0)")) }
        #expect(held.count { $0 != nil } == 4)
    }

    @Test("requests are counted by address, and a thousand strangers don't make the others' counts forgotten")
    func rates() {
        var rates = RequestRates()
        let now = NIODeadline.now()
        let own: [UInt8] = [1, 2, 3, 4]
        var taken = 0
        for _ in 0..<1100 where rates.takes(own, now: now) { taken += 1 }
        #expect(taken == 1000)
        for number in 0..<3000 {
            let moment = now + .microseconds(Int64(number))
            let isStrangerIn = rates.takes([UInt8(number / 256), UInt8(number % 256)], now: moment)
            let isIn = rates.takes(own, now: moment)
            #expect(isStrangerIn && !isIn)
        }
    }
}
