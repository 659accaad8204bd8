extension Array where Element: Sendable {
    /// The results of `body` for the elements, in their order; so many run at the same time.
    func concurrentMap<Result: Sendable>(
        atMost limit: Int, _ body: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (index: Int, result: Result).self) { group in
            var done: [(index: Int, result: Result)] = []
            for (index, element) in enumerated() {
                if index >= limit, let next = try await group.next() { done.append(next) }
                group.addTask { (index, try await body(element)) }
            }
            for try await next in group { done.append(next) }
            return done.sorted { $0.index < $1.index }.map(\.result)
        }
    }
}
