/// One thing that is done to sound: as many samples come out as go in.
protocol FilterStage {
    /// How many frames later the sound leaves.
    var latency: Int { get }

    /// Changes the next interleaved samples, whole frames of them.
    mutating func process(_ samples: inout [Float])
}

extension FilterStage {
    var latency: Int { 0 }
}

struct FilterChain: FilterStage {
    private var stages: [any FilterStage]

    init(_ stages: [any FilterStage]) { self.stages = stages }

    var latency: Int { stages.reduce(0) { $0 + $1.latency } }
    mutating func process(_ samples: inout [Float]) { for index in stages.indices { stages[index].process(&samples) } }
}
