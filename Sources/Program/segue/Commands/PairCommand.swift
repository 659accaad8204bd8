import ArgumentParser
import Foundation
import MPDProtocol
import MPDSessions
import SegueConfiguration
import WebAPI
import WebServer

/// `segue pair`: lets a phone in without typing.
struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a code to sign in a phone or another browser.",
        discussion: """
            The code is valid for one device and five minutes. Scan the picture with the phone's camera, or open the \
            address. The server has to run.
            """)

    @OptionGroup var options: SecretOptions

    func run() throws {
        let permission = try options.permission()
        let (configuration, secrets) = try options.secrets()
        guard let address = configuration.pageAddresses().first else {
            throw CommandFailure("there is no page: [web] listen is empty")
        }
        let code: String
        do {
            code = try secrets.add(name: "pair", permissions: permission.rawValue, lifetime: PairingCode.lifetime)
                .secret
        } catch {
            throw CommandFailure("can't save the code: \(error.localizedDescription)")
        }
        let url = "\(address)/#pair=\(code)"
        if isatty(STDOUT_FILENO) == 1, let picture = QRCode(url) { print(picture.halfBlocks) }
        print("\(url)\nValid for one device and five minutes; allows \(permission.names.joined(separator: ", ")).")
        if configuration.web.listen.allSatisfy({ !$0.isReachableFromOutside }) {
            FileHandle.standardError.write(
                Data("Only browsers on this machine reach the page: add \"0.0.0.0:6610\" under [web] listen.\n".utf8))
        }
    }
}
