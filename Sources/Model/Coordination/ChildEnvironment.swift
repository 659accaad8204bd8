import Foundation

/// The environment for programs that Segue starts.
package enum ChildEnvironment {
    /// This process's environment as `NAME=value`, without Segue's own settings, some of which are secrets.
    package static var entries: [String] { entries(of: ProcessInfo.processInfo.environment) }

    /// The same of any environment.
    static func entries(of environment: [String: String]) -> [String] {
        environment.compactMap { name, value in
            name.hasPrefix("SEGUE_") || name == "CREDENTIALS_DIRECTORY" ? nil : "\(name)=\(value)"
        }
    }
}
