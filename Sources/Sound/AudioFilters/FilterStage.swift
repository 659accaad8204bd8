/// One thing that is done to sound: as many samples come out as go in.
protocol FilterStage {
    /// Changes the next interleaved samples, whole frames of them.
    mutating func process(_ samples: inout [Float])
}

/// Several of them, one after the other.
struct FilterChain: FilterStage {
    private var stages: [any FilterStage]

    init(_ stages: [any FilterStage]) { self.stages = stages }

    mutating func process(_ samples: inout [Float]) {
        for index in stages.indices { stages[index].process(&samples) }
    }
}
