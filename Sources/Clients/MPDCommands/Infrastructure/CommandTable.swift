/// Every command that Segue understands; the page to open first. Adding a command is a declaration in the file of its
/// section and its name here. MPD v0.24.13 has the same commands as `handle_NAME` in src/command; docs/protocol.md has
/// their arguments, answers and what differs.
package enum CommandTable {
    /// The commands in the order of their words, which is the order of the `commands` answer.
    package static let commands: [Command] = [
        .add, .addID, .addTagID, .albumArt, .binaryLimit, .channels, .clear, .clearError, .clearTagID, .close,
        .commands, .config, .consume, .count, .crossfade, .currentSong, .decoders, .delete, .deleteID, .delPartition,
        .disableOutput, .enableOutput, .find, .findAdd, .getFingerprint, .getVol, .idle, .kill, .list, .listAll,
        .listAllInfo, .listFiles, .listMounts, .listNeighbors, .listPartitions, .listPlaylist, .listPlaylistInfo,
        .listPlaylists, .load, .lsInfo, .mixRampDB, .mixRampDelay, .mount, .move, .moveID, .moveOutput, .newPartition,
        .next, .notCommands, .outputs, .outputSet, .partition, .password, .pause, .ping, .play, .playID, .playlist,
        .playlistAdd, .playlistClear, .playlistDelete, .playlistFind, .playlistID, .playlistInfo, .playlistLength,
        .playlistMove, .playlistSearch, .plChanges, .plChangesPosID, .previous, .prio, .prioID, .protocol, .random,
        .rangeID, .readComments, .readLyrics, .readMessages, .readPicture, .rename, .renamePartition, .repeat,
        .replayGainMode, .replayGainStatus, .rescan, .rm, .save, .search, .searchAdd, .searchAddPl, .searchCount,
        .searchPlaylist, .seek, .seekCur, .seekID, .sendMessage, .setVol, .shuffle, .single, .sleepTimer, .speed,
        .stats, .status, .sticker, .stickerNames, .stickerNamesTypes, .stickerTypes, .stop, .stringNormalization,
        .subscribe, .swap, .swapID, .tagTypes, .toggleOutput, .unmount, .unsubscribe, .update, .urlHandlers, .volume,
    ]

    /// The same by their words.
    package static let byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })
}
