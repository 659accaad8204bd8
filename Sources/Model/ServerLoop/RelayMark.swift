/// The mark by which a server of this process knows connections of this process that relay its answers.
package enum RelayMark {
    /// The field of the request's header.
    package static let field = "x-segue-relay"
    /// Its value, which no other program knows.
    package static let value: String = {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &generator), radix: 16) }.joined()
    }()
}
