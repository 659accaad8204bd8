import AudioOutputs
import Diagnosis
import Lidarr
import Logging
import MPDSessions
import SegueConfiguration
import Subsonic
import Wishes

extension ConfigurationProbes {
    /// The questions to the real server, certificate and sound of a configuration.
    init(_ configuration: Configuration) {
        let log = Logger(label: "segue.check")
        self.init(
            certificate: { tls in
                let description = try await tls.check()
                return Description(expiry: description.expiry, warnings: description.warnings)
            },
            server: {
                let state = try StateDirectory(creating: configuration.server.stateDirectory)
                return try SubsonicSettings.reaching(configuration, state: state).map { SubsonicClient($0, log: log) }
            },
            lidarr: { try await LidarrClient($0, log: log).check() },
            prompt: { try await WishServer(configuration)?.check() },
            audioFailure: { EngineCheck.failure },
            missingElements: {
                EngineCheck.missing().map {
                    MissingElement(
                        "\($0.purpose) needs \($0.element): install \($0.package)", isEssential: $0.isEssential)
                } + EngineCheck.plugins(of: configuration.outputs).map { MissingElement($0, isEssential: false) }
            })
    }
}
