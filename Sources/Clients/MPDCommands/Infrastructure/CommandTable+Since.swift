extension CommandTable {
    /// The versions of MPD that brought the commands, the newest first; those that stand in none are older than 0.12.
    ///
    /// - Source: the command tables of MPD's releases 0.10.0 to 0.24.13.
    private static let arrivals: [(version: String, commands: String)] = [
        ("not in MPD", "readlyrics sleeptimer speed"),
        (
            "0.24",
            """
            playlistlength protocol searchcount searchplaylist stickernames stickernamestypes stickertypes
            """
        ),
        ("0.23", "getvol"),
        ("0.22.4", "binarylimit"),
        ("0.22", "delpartition getfingerprint moveoutput readpicture"),
        ("0.21", "albumart listpartitions newpartition outputset partition"),
        ("0.19", "addtagid cleartagid listfiles listmounts listneighbors mount rangeid unmount"),
        ("0.18", "readcomments toggleoutput"),
        (
            "0.17",
            """
            channels config prio prioid readmessages searchadd searchaddpl seekcur sendmessage subscribe unsubscribe
            """
        ),
        ("0.16", "decoders findadd mixrampdb mixrampdelay replay_gain_mode replay_gain_status rescan"),
        ("0.15", "consume single sticker"),
        ("0.14", "idle listplaylists"),
        (
            "0.13",
            """
            count playlistadd playlistclear playlistdelete playlistfind playlistmove playlistsearch rename tagtypes
            """
        ),
        (
            "0.12",
            """
            addid commands disableoutput enableoutput listplaylist listplaylistinfo notcommands outputs plchangesposid
            """
        ),
    ]

    /// The commands in the order of the table, each with how it is called, what it needs, and the version of MPD that
    /// brought it; `nil` for those that are older than 0.12, `not in MPD` for our own.
    package static var described: [(entry: CommandEntry, since: String?)] {
        var versions: [String: String] = [:]
        for (version, commands) in arrivals {
            for command in commands.split(separator: " ") { versions[String(command)] = version }
        }
        return entries.map { ($0, versions[$0.name]) }
    }
}
