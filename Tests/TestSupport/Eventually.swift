/// Waits until a condition holds, looking every few milliseconds.
///
/// - Returns: whether it came to hold within the time.
package func eventually(within limit: Duration = .seconds(120), _ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
}

/// Waits until a condition holds.
///
/// - Throws: what the condition throws, or an error that names what did not happen within the time.
package func eventually(
    _ what: String, within limit: Duration = .seconds(120), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw DidNotHappen(what: what, limit: limit)
}

/// What a test has waited for in vain.
package struct DidNotHappen: Error, CustomStringConvertible {
    let what: String
    let limit: Duration

    /// Names it.
    package var description: String { "\(what) did not happen within \(limit)" }
}
