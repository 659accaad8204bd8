import Outputs

/// The filters of an output: a change goes over from the old ones to the new ones within 60 ms and what the new ones
/// are late, so that no step is heard.
struct OutputFilters {
    private var settings = FilterSettings()
    private var response: ImpulseResponse?
    private var graphic: (points: [EqualizerCurve.Point], rate: Int, response: ImpulseResponse?) = ([], 0, nil)
    private var (rate, channels) = (0, 0)
    private var chain = FilterChain([])
    /// The chain that is on its way out, and how many frames of that are done.
    private var old: (chain: FilterChain, done: Int)?
    /// True if the settings have changed since, so that the sound goes over again.
    private var isBehind = false
    private var plugins = PluginWatch()

    /// How long both sound, in seconds: at first the new ones are only fed, so that they are steady when heard; those
    /// that are late are fed as much longer.
    private static let overlap = (feed: 0.02, fade: 0.04)

    var isPlain: Bool { settings.isPlain && old == nil }
    /// The things that have become known of plug-ins since the last call, each one once.
    mutating func takeReports() -> [PluginReport] { plugins.takeReports() }

    /// Forgets the sound so far; it continues elsewhere.
    mutating func reset() {
        (old, isBehind) = (nil, false)
        chain = make()
    }

    /// Sets what is to be done from now on, and what is convolved with at the sound's rate; another rate starts over.
    mutating func set(_ settings: FilterSettings, response: ImpulseResponse?, rate: Int, channels: Int) {
        if (rate, channels) != (self.rate, self.channels) {
            (self.rate, self.channels) = (rate, channels)
            // It cannot be convolved with what was read for another rate.
            self.response = nil
            reset()
        }
        (self.settings, self.response) = (settings, response)
        plugins.forget()
        // A change on the way to another one waits for it: leaving that half-way would be a step.
        if old == nil { goOver() } else { isBehind = true }
    }

    private mutating func goOver() {
        (old, isBehind) = ((chain, 0), false)
        chain = make()
    }

    mutating func process(_ samples: inout [Float], rate: Int, channels: Int) {
        if (rate, channels) != (self.rate, self.channels) {
            (self.rate, self.channels) = (rate, channels)
            reset()
        }
        defer { plugins.listen(frames: samples.count / channels, rate: rate) }
        guard var before = old else { return chain.process(&samples) }
        var others = samples
        before.chain.process(&others)
        chain.process(&samples)
        let feed = Int(Self.overlap.feed * Double(rate)) + chain.latency
        let fade = Int(Self.overlap.fade * Double(rate))
        let frames = samples.count / channels
        for frame in 0..<frames {
            let share = min(1, max(0, Float(before.done + frame - feed) / Float(max(1, fade))))
            // Level at both ends.
            let smooth = share * share * (3 - 2 * share)
            for index in frame * channels..<(frame + 1) * channels {
                samples[index] = others[index] + (samples[index] - others[index]) * smooth
            }
        }
        before.done += frames
        old = before.done >= feed + fade ? nil : before
        if old == nil, isBehind { goOver() }
    }

    private mutating func graphicResponse() -> ImpulseResponse? {
        guard let points = settings.equalizer?.points, !points.isEmpty, rate > 0 else { return nil }
        if graphic.points != points || graphic.rate != rate {
            graphic = (points, rate, ImpulseResponse.following(points, rate: rate))
        }
        return graphic.response
    }

    private mutating func make() -> FilterChain {
        // Before the first block there is no sound to make anything for.
        guard rate > 0, channels > 0 else { return FilterChain([]) }
        var stages: [any FilterStage] = []
        if settings.convolves, let response { stages.append(Convolution(response, channels: channels)) }
        if let graphic = graphicResponse() { stages.append(Convolution(graphic, channels: channels)) }
        if let curve = settings.equalizer { stages.append(Equalizer(curve, rate: rate, channels: channels)) }
        if settings.isLevelled { stages.append(Levelling(rate: rate, channels: channels)) }
        if settings.isMono { stages.append(MonoMix(channels: channels)) }
        if settings.hasCrossfeed, channels == 2 { stages.append(Crossfeed(rate: rate)) }
        if settings.balance != 0, channels > 1 { stages.append(Balance(settings.balance, channels: channels)) }
        if settings.delay > 0 { stages.append(Delay(frames: rate * settings.delay / 1000, channels: channels)) }
        return FilterChain(stages + makePlugins())
    }

    private mutating func makePlugins() -> [any FilterStage] {
        var made: [PluginStage] = []
        for effect in settings.effects?.effects ?? [] {
            do throws(SettingProblem) {
                let filter = try EffectFilter(effect, rate: rate, channels: channels)
                made.append(PluginStage(filter, rate: rate, channels: channels))
            } catch { plugins.note("\(effect.element) is left out: \(error)") }
        }
        if let graph = settings.graph {
            do throws(SettingProblem) {
                let filter = try GraphFilter(graph, rate: rate, channels: channels)
                made.append(PluginStage(filter, rate: rate, channels: channels))
            } catch { plugins.note("the graph is left out: \(error)") }
        }
        plugins.watch(made)
        return made
    }
}
