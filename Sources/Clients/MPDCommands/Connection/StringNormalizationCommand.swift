import MPDProtocol
import MusicModel
import ServerLoop

/// Shows or chooses how `search` and its relatives compare texts, beyond their disregard of case.
///
/// - Wire: `stringnormalization` → `stringnormalization: NAME` lines of what is enabled; `stringnormalization
///   {all|clear|enable|disable|available} [NAME...]`. `strip_diacritics` lets `a` find `á`.
/// - Errors: ACK 2 for an unknown sub-command, an unknown or a missing name, arguments too many.
/// - Source: MPD's master (0.25), src/command/ClientCommands.cxx, src/client/StringNormalization.cxx. Differs: where a
///   filter asks for case (`contains_cs`), accents count, too; `searchplaylist` goes by it as well.
struct StringNormalizationCommand: Command {
    static let name: StaticString = "stringnormalization"
    static let permission = Permission.none
    static let argumentCount = 0...Int.max
    static let usage: StaticString = "[SUBCOMMAND] [FEATURES...]"
    static let origin = CommandOrigin.mpd(since: "0.25")

    /// Lets letters match with and without their accents.
    static let stripDiacritics = "strip_diacritics"

    private let switches: NamedSwitches

    init(parsing arguments: inout Arguments) throws(AckError) {
        switches = try NamedSwitches(
            parsing: &arguments, of: [Self.stripDiacritics], unknown: "Unknown string normalization")
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        switches.apply(
            to: &context.client.stringNormalizations, key: "stringnormalization: ", response: &response)
    }
}

extension CommandContext {
    /// A filter of `search` or a relative as the client wants texts compared.
    @ServerActor
    func normalized(_ filter: SongFilter) -> SongFilter {
        client.stringNormalizations.contains(StringNormalizationCommand.stripDiacritics)
            ? filter.strippingDiacritics : filter
    }

    /// The same for a query.
    @ServerActor
    func normalized(_ query: SongQuery) -> SongQuery {
        SongQuery(normalized(query.filter), sort: query.sort, window: query.window)
    }
}
