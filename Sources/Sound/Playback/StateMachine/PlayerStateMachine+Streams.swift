import MusicModel

extension PlayerStateMachine {
    /// The streams that `next` and `previous` would lead to while something plays, each once.
    var neighbouringStreams: [String] {
        guard transport == .play, loaded != nil, let current else { return [] }
        let playing = streamURL(at: current)
        var urls: [String] = []
        for index in [indexAfter(current), indexBefore(current)] {
            guard let index, let url = streamURL(at: index), url != playing, !urls.contains(url) else { continue }
            urls.append(url)
        }
        return urls
    }

    private func indexAfter(_ current: Int) -> Int? {
        switch successor(of: current, ignoringSingle: true) {
        case .index(let index): index
        case .wrap: ordering.order.isRandom ? ordering.firstOfNext.flatMap { self.index(of: $0) } : 0
        case .same, .end: nil
        }
    }

    private func indexBefore(_ current: Int) -> Int? {
        if current > 0 { return current - 1 }
        return options.isRepeating ? queue.count - 1 : nil
    }

    private func streamURL(at index: Int) -> String? {
        let item = queue[ordering.order.position(at: index)].item
        guard case .stream(let url, _) = item, item.outsideFile == nil, !DiscAddress.isOne(url) else { return nil }
        return url
    }

    mutating func interrupted(_ number: UInt64, _ message: String?) {
        guard loaded?.number == number else { return }
        let isNews =
            if let message { errors.interrupted(described(message)) } else { errors.endInterruption() }
        if isNews { changed(.player) }
    }

    func described(_ message: String) -> String {
        guard case .stream(_, let tags)? = currentEntry?.item, let name = tags.first(where: { $0.tag == .name })?.value
        else { return message }
        return "\(name): \(message)"
    }
}
