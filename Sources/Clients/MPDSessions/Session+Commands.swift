import Coordination
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop

/// Lines and commands: `answerLines` takes each line, `answer` frames it, `dispatch` runs its command.
extension Session {
    private enum Pause {
        /// The last one, whose command has to wait.
        case command(WaitingCommand)
        /// The client, which is to take a chunk of its answers first.
        case client
        /// Other clients: this one has had its share of the loop.
        case loop
        /// Nothing is left, or the connection ends.
        case end(Ending)
    }

    private enum Ending {
        /// All lines are dealt with.
        case noLine
        /// The answers so far are delivered, then the connection closes.
        case finish
        case close
    }

    // MARK: Lines

    /// Answers the lines that are there: inside the read until one has to wait, the rest in a batch.
    func answerLines() {
        guard input.hasLine() else { return closeIfTooLong() }
        let now = server.loopShare.begin(&slice)
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        // Answers that the client does not take fill the channel; what follows then waits for it.
        let pause = channel.isWritable ? answerLines(&response) : .client
        if response.buffer.readableBytes > 0 { write(response.buffer) }
        giveBack(&response)
        if case .end(let ending) = pause { return ended(ending, at: now) }
        let batch = Batch(idleMask: idleMask)
        begin(batch)
        batch.task = Task.immediate { await self.run(batch, from: pause) }
        if self.batch === batch { socket.outliveInput(of: channel) }
    }

    private func run(_ batch: Batch, from pause: Pause) async {
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        let ending = (try? await goOn(from: pause, of: batch, &response)) ?? .close
        giveBack(&response)
        if list?.isRunning == true { endList() }
        endBatch()
        ended(ending, at: .now())
        if batch.inputHasEnded { finish() }
        if batch.holdsRead, isOpen { channel.read() }
    }

    /// Waits for what keeps the session from the next line, and answers lines again, until none is left.
    private func goOn(from first: Pause, of batch: Batch, _ response: inout ResponseWriter) async throws -> Ending {
        var pause = first
        while true {
            switch pause {
            case .command(let command):
                try await finish(command, of: batch, &response)
                if let next = self.pause(isFull: response.isFull) {
                    pause = next
                    continue
                }
            case .client: try await response.flush()
            case .loop: try await giveLoopBack()
            case .end(let ending):
                try await response.flush()
                // Lines may have come meanwhile.
                guard case .noLine = ending, isOpen, input.hasLine() else { return ending }
            }
            pause = answerLines(&response)
        }
    }

    private func answerLines(_ response: inout ResponseWriter) -> Pause {
        while true {
            collectLines()
            guard let line = nextLine(&response) else { return .end(.noLine) }
            if let pause = answer(line, &response) ?? pause(isFull: response.isFull) { return pause }
        }
    }

    /// The pause behind a line that has been answered; nil where the next may follow.
    private func pause(isFull: Bool) -> Pause? {
        if isFull { return .client }
        // The sockets of many clients may be ready at once, and each brings many lines.
        let isLast = list?.isRunning != true && !input.hasLine()
        return !isLast && server.loopShare.isOver ? .loop : nil
    }

    /// Takes the next line of the list that runs, whose end is answered here, or else of what the client has sent.
    private func nextLine(_ response: inout ResponseWriter) -> ArraySlice<UInt8>? {
        if list?.isRunning == true {
            if let line = list?.next() { return line }
            endList()
            response.ok()
        }
        return isOpen ? input.nextLine()?[...] : nil
    }

    private func ended(_ ending: Ending, at time: NIODeadline) {
        guard isOpen else { return }
        lastActivity = time
        switch ending {
        case .close:
            endList()
            return close()
        case .finish:
            endList()
            return finish()
        case .noLine: break
        }
        if idleMask == nil { server.watchForSilence() }
        // Changes that came while answers were being written.
        notice([])
        closeIfTooLong()
    }

    private func closeIfTooLong() {
        guard isOpen, input.isTooLong else { return }
        server.logger.debug("a client sent a line that is too long")
        close()
    }

    private func giveBack(_ response: inout ResponseWriter) {
        response.buffer.clear()
        server.giveBack(response.buffer)
        response.buffer = ByteBuffer()
    }

    // MARK: Framing

    // The words that frame commands. None of them is a command, or takes an argument.
    private static let noIdle = Array("noidle".utf8)[...]
    private static let listBegin = Array("command_list_begin".utf8)[...]
    private static let listOKBegin = Array("command_list_ok_begin".utf8)[...]
    private static let listEnd = Array("command_list_end".utf8)[...]
    /// Without arguments it can't be a part of a list.
    private static let idle = Array("idle".utf8)[...]

    /// Deals with one line: a framing word, a part of a list, or a command; nil once it is answered.
    private func answer(_ line: ArraySlice<UInt8>, _ response: inout ResponseWriter) -> Pause? {
        if list?.isRunning == true { return dispatch(line, &response) }
        // Every command begins with a lower case letter; anything else is HTTP that lost its way.
        guard Self.beginsCommand(line.first) else { return .end(.close) }
        if line == Self.noIdle {
            guard list == nil else { return .end(.close) }
            if idleMask != nil {
                idleMask = nil
                response.ok()
            }
            return nil
        }
        guard idleMask == nil else { return .end(.close) }
        guard list == nil else { return collect(line, &response) }
        switch line {
        case Self.listBegin: list = CommandList(reportsEach: false, limit: listLimit)
        case Self.listOKBegin: list = CommandList(reportsEach: true, limit: listLimit)
        default: return dispatch(line, &response)
        }
        return nil
    }

    private static func beginsCommand(_ first: UInt8?) -> Bool {
        first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
    }

    /// Adds a line to the open list, or ends the list, which runs from then on.
    private func collect(_ line: ArraySlice<UInt8>, _ response: inout ResponseWriter) -> Pause? {
        if line == Self.idle { return .end(.close) }
        guard line == Self.listEnd else {
            defer { countList() }
            if list?.append(line, room: server.roomForLists) == true { return nil }
            server.logger.debug("a client sent a command list that is too large")
            return .end(.close)
        }
        guard list?.isRefused == true else {
            list?.isRunning = true
            return nil
        }
        refuse(server.memoryBudget.refused("a command list"), of: "command_list_end", &response)
        return nil
    }

    /// Moves lines that are plain parts of the open list into it, as many in one go as the loop has time for.
    private func collectLines() {
        guard list?.isRunning == false, var open = list.take() else { return }
        let room = server.roomForLists + open.size
        var count = 0
        while input.takeLine(if: { Self.isPlain($0) && open.append($0, room: room - open.size) }) == true {
            count += 1
            // Asking for the time costs more than a short line.
            if count.isMultiple(of: 64), server.loopShare.isOver { break }
        }
        list = open
        if count > 0 { countList() }
    }

    /// True if a line in a list is neither its end nor one of the words that don't belong there.
    private static func isPlain(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        beginsCommand(line.first) && !line.elementsEqual(listEnd) && !line.elementsEqual(idle)
            && !line.elementsEqual(noIdle)
    }

    private func countList() {
        guard let growth = list?.takeGrowth(), let size = list?.size else { return }
        server.listMemory += growth
        guard size > Self.smallList, server.memoryBudget.isExhausted else { return }
        list?.refuse()
        countList()
    }

    func endList() {
        list?.refuse()
        countList()
        list = nil
    }

    /// Lists of up to this many bytes are always accepted: those that clients send to show something.
    private static let smallList = 64 << 10

    /// How large a list may be. Clients that may do nothing yet only need to send their password.
    private var listLimit: Int {
        let limit = server.options.commandListLimit
        return client.permission.isEmpty ? min(limit, Self.listLimitWithoutPermission) : limit
    }

    /// Room for `password` and a few commands; a thousand such clients leave the others most of what lists may take.
    private static let listLimitWithoutPermission = 4096

    // MARK: Commands

    /// Looks a line's command up, parses it and answers it; returns it where something has to be waited for.
    private func dispatch(_ line: ArraySlice<UInt8>, _ response: inout ResponseWriter) -> Pause? {
        let words: CommandWords
        do throws(TokenizerError) { words = try Tokenizer.split(line) } catch {
            refuse(error.ack, of: "", &response)
            return error.closesConnection ? .end(.finish) : nil
        }
        guard let command = server.commands[words.name] else {
            refuse(AckError(.unknown, "unknown command \"\(words.name)\""), of: "", &response)
            return nil
        }
        let start = server.commandFigures.map { _ in ContinuousClock.now }
        var pause: Pause?
        do {
            let context = CommandContext(server: server.context, client: client, index: list?.index ?? 0)
            switch try command.action(words.arguments, permission: client.permission) {
            case .immediate(let run):
                try run(context, &response)
                succeed(&response)
            case .suspending(let run):
                return .command(WaitingCommand(command: command, run: run, context: context, start: start))
            case .idle(let subsystems): startIdle(subsystems, response: &response)
            case .close: pause = .end(.finish)
            }
        } catch {
            refuse(error, of: command.name, &response)
        }
        note(command, since: start)
        return pause
    }

    private func finish(_ waiting: WaitingCommand, of batch: Batch, _ response: inout ResponseWriter) async throws {
        batch.clientLoss = waiting.command.withoutClient
        defer {
            batch.clientLoss = .finishes
            note(waiting.command, since: waiting.start)
        }
        do {
            try await waiting.run(waiting.context, &response)
        } catch let error as ClientIsGone {
            throw error
        } catch is CancellationError {
            throw ClientIsGone()
        } catch {
            if isClosed { throw ClientIsGone() }
            return refuse(error, of: waiting.command.name, &response)
        }
        succeed(&response)
    }

    private func succeed(_ response: inout ResponseWriter) {
        guard let list else { return response.ok() }
        if list.reportsEach { response.listOK() }
    }

    private func refuse(_ error: any Error, of command: String, _ response: inout ResponseWriter) {
        let ack = AckError.mapping(error)
        if ack.code == .system { noteFailure(error, of: command) }
        response.ack(ack, index: list?.index ?? 0, command: command)
        endList()
    }

    private func note(_ command: Command, since start: ContinuousClock.Instant?) {
        if let start { server.commandFigures?.note(command.name, since: start) }
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
}
