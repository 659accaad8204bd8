/// What was asked of a real server, with what it answered.
struct Transcript {
    /// One request with the lines of its answer, the last of which is `OK` or an ACK.
    struct Exchange {
        let request: String
        let answer: [String]
    }

    let exchanges: [Exchange]

    /// Reads `C:` and `S:` lines.
    init(_ text: String) {
        var exchanges: [Exchange] = []
        var request: String?
        var answer: [String] = []
        func close() {
            if let request { exchanges.append(Exchange(request: request, answer: answer)) }
            answer = []
        }
        for line in text.split(separator: "\n") {
            if line.hasPrefix("C: ") {
                close()
                request = String(line.dropFirst(3))
            } else {
                answer.append(String(line.dropFirst(3)))
            }
        }
        close()
        self.exchanges = exchanges
    }
}
