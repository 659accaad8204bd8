#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `memcmp`.
func memoryOrder(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Int {
    Int(memcmp(left, right, count))
}

extension UnsafeRawBufferPointer {
    /// Whether `needle` stands somewhere in these bytes; an empty one always does.
    func contains(_ needle: [UInt8]) -> Bool { firstIndex(of: needle, from: 0) != nil }

    /// The place of the first `needle` at or after `start`.
    func firstIndex(of needle: [UInt8], from start: Int) -> Int? {
        guard let first = needle.first else { return start }
        var start = start
        while start + needle.count <= count, let found = firstIndex(of: first, from: start) {
            if UnsafeRawBufferPointer(rebasing: self[found...]).starts(with: needle) { return found }
            start = found + 1
        }
        return nil
    }

    /// Whether these bytes begin with `prefix`.
    func starts(with prefix: [UInt8]) -> Bool {
        if prefix.isEmpty { return true }
        guard count >= prefix.count, let base = baseAddress else { return false }
        return prefix.withUnsafeBufferPointer { $0.baseAddress.map { memcmp(base, $0, prefix.count) == 0 } ?? true }
    }

    /// Whether these bytes are exactly `other`.
    func equals(_ other: [UInt8]) -> Bool { count == other.count && starts(with: other) }

    /// The place of the first byte with this value at or after `start`.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

/// Gives freed heap pages back to the system; a first sync leaves tens of megabytes of them.
func releaseFreedMemory() {
    #if canImport(Glibc)
        // Swift's Glibc module has no malloc.h, so the symbol is looked up; other C libraries don't have it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
}
