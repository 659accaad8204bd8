import MusicModel

extension AudioFormat {
    /// The words, behind an output's name, for a device that gets this format where it was to get another one; nil
    /// where it is as good.
    func compromise(for wanted: AudioFormat) -> String? {
        holds(wanted) ? nil : "gets \(wireText), because the device doesn't take \(wanted.wireText)"
    }

    /// True if it has what the wanted format says; more bits are as good, and a float stands for 24 bits in 32.
    private func holds(_ wanted: AudioFormat) -> Bool {
        guard [0, sampleRate].contains(wanted.sampleRate), [0, channels].contains(wanted.channels) else { return false }
        guard case .integer(let bits) = sample else { return true }
        guard case .integer(let least) = wanted.sample else { return wanted.sample == .unknown }
        return bits >= least
    }
}
