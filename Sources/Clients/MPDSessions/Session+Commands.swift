import Coordination
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import ServerLoop

extension Session {
    private static let idle = Array("idle".utf8)
    private static let noIdle = Array("noidle".utf8)
    private static let listBegin = Array("command_list_begin".utf8)
    private static let listOKBegin = Array("command_list_ok_begin".utf8)
    private static let listEnd = Array("command_list_end".utf8)

    /// Deals with one line: a word of the session's own, a part of a list, or a command.
    ///
    /// - Throws: `ClientIsGone`.
    func process(_ line: [UInt8], response: inout ResponseWriter) async throws -> BatchEnd {
        // Every command begins with a lower case letter; anything else is HTTP that lost its way.
        guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return .close }
        if line == Self.noIdle {
            guard list == nil else { return .close }
            if idleMask != nil {
                idleMask = nil
                response.ok()
            }
            return .more
        }
        guard idleMask == nil else { return .close }
        guard list == nil else { return try await collect(line, response: &response) }
        switch line {
        case Self.listBegin: list = CommandList(reportsEach: false, limit: listLimit)
        case Self.listOKBegin: list = CommandList(reportsEach: true, limit: listLimit)
        default:
            let outcome = try await run(line, in: 0..<line.count, index: 0, response: &response)
            if outcome == .ok { response.ok() }
            return outcome == .finish ? .finish : .more
        }
        return .more
    }

    /// Whether a line in a list is neither its end nor one of the words that don't belong there.
    static func isPlain(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return !line.elementsEqual(listEnd) && !line.elementsEqual(idle) && !line.elementsEqual(noIdle)
    }

    /// Adds a line to the open list, or ends the list and runs it.
    private func collect(_ line: [UInt8], response: inout ResponseWriter) async throws -> BatchEnd {
        if line == Self.idle { return .close }
        guard line == Self.listEnd else {
            defer { countList() }
            if list?.append(line, room: server.roomForLists) == true { return .more }
            server.logger.debug("a client sent a command list that is too large")
            return .close
        }
        guard var commands = list.take() else { return .more }
        guard !commands.isRefused else {
            let shortage = server.memoryBudget.refused("a command list")
            response.ack(AckError.mapping(shortage), index: 0, command: "command_list_end")
            return .more
        }
        // Its memory is counted as long as the list runs.
        defer { countList() }
        return try await runList(&commands, response: &response)
    }

    private func runList(_ commands: inout CommandList, response: inout ResponseWriter) async throws -> BatchEnd {
        var index = 0
        while let range = commands.next() {
            let outcome =
                if let outcome = runAtOnce(commands.bytes, in: range, index: index, response: &response) {
                    outcome
                } else {
                    try await run(commands.bytes, in: range, index: index, response: &response)
                }
            guard outcome == .ok else { return outcome == .finish ? .finish : .more }
            if commands.reportsEach { response.listOK() }
            // Awaiting costs as much as a small answer, so only where there is something to wait for.
            if response.isFull { try await response.flush() }
            if server.loopShare.isOver { try await giveLoopBack() }
            index += 1
        }
        response.ok()
        return .more
    }

    /// Deals with a line that nothing waits for, as most of a client's are: `idle`, `noidle` and commands that never
    /// wait; nil, with nothing done, for all others.
    func processAtOnce(_ line: [UInt8], response: inout ResponseWriter) -> Outcome? {
        guard idleMask != nil else { return runAtOnce(line, in: 0..<line.count, index: 0, response: &response) }
        guard line == Self.noIdle else { return nil }
        idleMask = nil
        return .ok
    }

    enum Outcome {
        /// Answered but for the `OK`.
        case ok
        /// Answered wholly: an ACK was written, or the client waits in `idle`.
        case answered
        /// The connection ends.
        case finish
    }

    /// Runs the command in a range of `bytes` if it is `idle` or one that never waits; nil, with nothing done, for all
    /// others and for mistakes.
    func runAtOnce(
        _ bytes: [UInt8], in range: Range<Int>, index: Int, response: inout ResponseWriter
    ) -> Outcome? {
        guard let (entry, arguments) = try? server.dispatcher.entry(bytes, in: range) else { return nil }
        return runAtOnce(entry, arguments, index, &response)
    }

    private func runAtOnce(
        _ entry: CommandEntry, _ arguments: [String], _ index: Int, _ response: inout ResponseWriter
    ) -> Outcome? {
        guard let figures = server.commandFigures else { return attempt(entry, arguments, index, &response) }
        let start = ContinuousClock.now
        let outcome = attempt(entry, arguments, index, &response)
        if outcome != nil { figures.note(entry.name, since: start) }
        return outcome
    }

    private func attempt(
        _ entry: CommandEntry, _ arguments: [String], _ index: Int, _ response: inout ResponseWriter
    ) -> Outcome? {
        if entry.type == IdleCommand.self { return idle(entry, arguments, &response) }
        do {
            let context = CommandContext(server: server.context, client: client, index: index)
            return try entry.runAtOnce(arguments, in: context, response: &response) ? .ok : nil
        } catch {
            return refuse(error, entry.name, index, &response)
        }
    }

    private func run(
        _ bytes: [UInt8], in range: Range<Int>, index: Int, response: inout ResponseWriter
    ) async throws -> Outcome {
        let entry: CommandEntry
        let arguments: [String]
        do throws(CommandDispatcher.Refusal) {
            (entry, arguments) = try server.dispatcher.entry(bytes, in: range)
        } catch {
            response.ack(error.ack, index: index, command: error.command)
            return error.closesConnection ? .finish : .answered
        }
        if let outcome = runAtOnce(entry, arguments, index, &response) { return outcome }
        guard let figures = server.commandFigures else {
            return try await run(entry, arguments, index, &response)
        }
        let start = ContinuousClock.now
        defer { figures.note(entry.name, since: start) }
        return try await run(entry, arguments, index, &response)
    }

    private func run(
        _ entry: CommandEntry, _ arguments: [String], _ index: Int, _ response: inout ResponseWriter
    ) async throws -> Outcome {
        let command: any Command
        do {
            command = try entry.command(arguments, permission: client.permission)
        } catch {
            response.ack(error, index: index, command: entry.name)
            return .answered
        }
        if entry.name == "close" { return .finish }
        let partition = client.partition
        withoutClient = entry.withoutClient
        defer { withoutClient = .finishes }
        do {
            let context = CommandContext(server: server.context, client: client, index: index)
            try await command.run(in: context, response: &response)
        } catch let error as ClientIsGone {
            throw error
        } catch is CancellationError {
            throw ClientIsGone()
        } catch {
            if isClosed { throw ClientIsGone() }
            return refuse(error, entry.name, index, &response)
        }
        if client.partition !== partition { unseen.formUnion(Self.ofPartition) }
        return .ok
    }

    /// Lets the loop look after its sockets, which batches have held for long.
    ///
    /// - Throws: `ClientIsGone` if the client went meanwhile.
    func giveLoopBack() async throws {
        await server.loopShare.giveLoopBack()
        if isClosed { throw ClientIsGone() }
    }

    /// How large a list may be. Clients that may do nothing yet only need to send their password.
    private var listLimit: Int {
        let limit = server.options.commandListLimit
        return client.permission.isEmpty ? min(limit, Self.listLimitWithoutPermission) : limit
    }

    /// Room for `password` and a few commands behind it. A thousand such clients leave the better part of what the
    /// lists of all clients may take together to the others.
    private static let listLimitWithoutPermission = 4096

    /// Begins to wait, or answers at once; nil, with nothing done, for mistakes.
    private func idle(_ entry: CommandEntry, _ arguments: [String], _ response: inout ResponseWriter) -> Outcome? {
        guard let command = try? entry.command(arguments, permission: client.permission) as? IdleCommand else {
            return nil
        }
        startIdle(command.subsystems, response: &response)
        return .answered
    }

    private func refuse(
        _ error: any Error, _ command: String, _ index: Int, _ response: inout ResponseWriter
    ) -> Outcome {
        let ack = AckError.mapping(error)
        if ack.code == .system { noteFailure(error, of: command) }
        response.ack(ack, index: index, command: command)
        return .answered
    }

    /// Keeps for the log what a client only hears the outline of.
    private func noteFailure(_ error: any Error, of command: String) {
        // The budget reports itself, and not each time.
        guard !(error is AckError), !(error is MemoryShortage) else { return }
        // Every edit fails until there is room.
        if AckError.fullDisk(error) != nil {
            return server.diskReports.note("\(chain: error)", logger: server.logger)
        }
        server.logger.warning(
            "a command failed",
            metadata: ["command": "\(command)", "error": "\(ErrorChain(error))", "peer": "\(client.peer.shown)"])
    }

    /// The subsystems that a client must read again after it changed its partition.
    private static let ofPartition: Subsystem = [.queue, .player, .mixer, .output, .options]
}
