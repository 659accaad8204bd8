import NetworkAddresses
package import NIOCore
import Synchronization

/// Limits the request rate of each address: an average, and a burst above it.
struct RequestRates {
    private struct Bucket {
        var left: Double
        var last: NIODeadline
    }

    private static let perSecond = 200.0
    private static let burst = 1000.0
    private static let maxAddresses = 1024

    private var buckets: [[UInt8]: Bucket] = [:]

    /// Counts a request; false above the limit.
    mutating func takes(_ address: [UInt8], now: NIODeadline = .now()) -> Bool {
        if buckets.count >= Self.maxAddresses, buckets[address] == nil {
            buckets = buckets.filter { now - $0.value.last < .seconds(10) }
            // Half of them stay, those that ask now.
            for (key, _) in buckets.sorted(by: { $0.value.last < $1.value.last }).prefix(
                max(0, buckets.count - Self.maxAddresses / 2))
            {
                buckets[key] = nil
            }
        }
        var bucket = buckets[address] ?? Bucket(left: Self.burst, last: now)
        let passed = Double((now - bucket.last).nanoseconds) / 1e9
        bucket.left = min(Self.burst, bucket.left + passed * Self.perSecond)
        bucket.last = now
        let isIn = bucket.left >= 1
        if isIn { bucket.left -= 1 }
        buckets[address] = bucket
        return isIn
    }
}

/// A limited number of places, of which one address, or with IPv6 a network of 64 bits, has a share at most.
package final class AddressShares: Sendable {
    private struct State {
        var taken: [[UInt8]: Int] = [:]
        var count = 0
    }

    /// A place that was taken; it is free again when it is freed.
    package final class Place: Sendable {
        private let shares: AddressShares
        private let household: [UInt8]

        fileprivate init(_ shares: AddressShares, _ household: [UInt8]) {
            (self.shares, self.household) = (shares, household)
        }

        deinit { shares.free(household) }
    }

    private let places: Int
    private let share: Int
    private let state = Mutex(State())

    /// Has `places` places, a quarter of them for one address.
    package init(_ places: Int) { (self.places, share) = (places, max(1, places / 4)) }

    /// Takes a place; nil where there is none, or the address has its share.
    package func take(_ address: SocketAddress?) -> Place? {
        let household = address?.household ?? []
        return state.withLock { state in
            guard state.count < places, state.taken[household, default: 0] < share else { return nil }
            state.taken[household, default: 0] += 1
            state.count += 1
            return Place(self, household)
        }
    }

    private func free(_ household: [UInt8]) {
        state.withLock { state in
            let left = state.taken[household, default: 1] - 1
            state.taken[household] = left > 0 ? left : nil
            state.count -= 1
        }
    }
}

extension SocketAddress {
    /// The bytes by which a client is counted; none where it has no address.
    package var household: [UInt8] { ipAddress.flatMap { IPAddress($0) }?.household ?? [] }
}
