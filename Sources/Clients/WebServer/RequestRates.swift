import NIOCore

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
