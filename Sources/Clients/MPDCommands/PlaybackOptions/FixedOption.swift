import MPDProtocol
import Playback
import ServerLoop

extension CommandContext {
    /// Refuses a value that differs from the one that the configuration fixes for the client's partition.
    ///
    /// - Throws: ACK 4 with the name of the option.
    @ServerActor
    func refuse<Value: Equatable>(
        _ value: Value, unlessFixedAt path: KeyPath<FixedOptions, Value?>, _ option: String
    ) throws(AckError) {
        guard let fixed = player.settings.fixedOptions[keyPath: path], fixed != value else { return }
        throw AckError(.permission, "\(option) is fixed in the configuration of this partition")
    }
}
