import MPDProtocol
import MusicModel

extension Command {
    static let commands = immediate("commands", .none, since: "0.12") { context, response in
        for command in CommandTable.commands
        where command.isAllowed(with: context.client.permission) && command.isAvailable(in: context.server) {
            response.line("command: ", command.name)
        }
    }

    /// Shows local paths to a client on the Unix socket; stored playlists are in the database, in no folder.
    static let config = immediate("config", .admin, since: "0.17") { context, response in
        guard context.client.isLocal else { throw AckError(.permission, "Command only permitted to local clients") }
        if let folder = context.server.facts.musicDirectory { response.line("music_directory: ", folder) }
        response.line("pcre: ", 1)
    }

    static let decoders = immediate("decoders", .read, since: "0.16") { context, response in
        for decoder in context.server.facts.decoders {
            response.line("plugin: ", decoder.plugin)
            for suffix in decoder.suffixes { response.line("suffix: ", suffix) }
            for type in decoder.mimeTypes { response.line("mime_type: ", type) }
        }
    }

    /// Lists what the client may not send without another password; what this server can't do at all isn't listed.
    static let notCommands = immediate("notcommands", .none, since: "0.12") { context, response in
        for command in CommandTable.commands where !command.isAllowed(with: context.client.permission) {
            response.line("command: ", command.name)
        }
    }

    static let urlHandlers = immediate("urlhandlers", .read, since: "before 0.12") { context, response in
        if context.client.isLocal { response.line("handler: ", "file://") }
        if !context.server.facts.lineInputs.isEmpty { response.line("handler: ", LineInput.scheme) }
        if !context.server.facts.discDevices.isEmpty { response.line("handler: ", DiscAddress.scheme) }
        for scheme in LocatedURI.streamSchemes { response.line("handler: ", "\(scheme)") }
    }
}
