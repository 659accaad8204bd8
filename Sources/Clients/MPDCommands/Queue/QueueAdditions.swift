import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension Command {
    /// Puts a song, a directory with all that is in it, or a stream into the queue; `/` is the whole library.
    static let add = Command(
        "add", .add, 1...2, "{URI} [POSITION]", since: "before 0.12", withoutClient: .endsSoon
    ) { arguments in
        let argument = try arguments.string()
        let uri = argument == "/" ? "" : argument
        let position = arguments.isEmpty ? nil : try arguments.position()
        return .suspending { context, _ in
            try context.check(position)
            switch try LocatedURI(uri, for: .input, in: context, allowsEmpty: true) {
            case .absolute(let url):
                try await context.insert(try await context.candidates(stream: url), at: position)
            case .outside(let path): try await context.insert([try await context.outsideCandidate(path)], at: position)
            case .relative(let path):
                let songs = try await context.server.library.index.queueable(below: path)
                let candidates = await LongList.handle(consume songs) { $0.map { QueueCandidate($0) } }
                try await context.insert(consume candidates, at: position)
            }
        }
    }

    /// Puts one song or stream into the queue and tells its id.
    static let addID = Command("addid", .add, 1...2, "{URI} [POSITION]", since: "0.12") { arguments in
        let uri = try arguments.string()
        let position = arguments.isEmpty ? nil : try arguments.position()
        return .suspending { context, response in
            try context.check(position)
            let candidate = try await context.candidate(uri)
            if let id = try await context.insert([candidate], at: position).first { response.line("Id: ", id.rawValue) }
        }
    }
}

extension CommandContext {
    /// The one song or stream that a URI names.
    @ServerActor
    fileprivate func candidate(_ uri: String) async throws -> QueueCandidate {
        switch try LocatedURI(uri, for: .input, in: self) {
        case .absolute(let url):
            let candidates = try await candidates(stream: url)
            guard candidates.count == 1 else {
                throw AckError(.argument, "That is a whole disc; `add` takes it, or name a track")
            }
            return candidates[0]
        case .outside(let path): return try await outsideCandidate(path)
        case .relative(let path):
            guard let song = try await server.library.index.queueableSong(at: path) else {
                throw AckError(.noExist, "No such song")
            }
            return QueueCandidate(song)
        }
    }
}
