"""The commands that are measured, in their order."""


def works(count, song, take_back):
    """Names, lines, and whether it is done once, for what comes after it, on a queue of so many entries.

    `take_back` adds thousands of songs over HTTP and takes that back.
    """
    first = b'"%s"' % song
    return [
        ("nothing", [b"ping"], False),
        ("shuffle", [b"shuffle"], False),
        ("move one", [b"move 0 %d" % (count - 10), b"move %d 0" % (count - 10)], False),
        ("move range", [b"move 0:%d %d" % (count // 2, count // 4)], False),
        ("move 9999", [b"move 0:9999 %d" % (count // 2)], False),
        ("swap", [b"swap 3 %d" % (count - 3)], False),
        ("delete 0 + addid 0", [b"delete 0", b"addid %s 0" % first], False),
        ("delete 9999 in the midst", [b"delete 1000:10999"], False),
        ("prio all", [b"prio 5 0:", b"prio 0 0:"], False),
        ("prio 9999", [b"prio 5 100:10099", b"prio 0 100:10099"], False),
        ("random on/off", [b"random 1", b"random 0"], False),
        ("random: all single edits", [b"random 1", b"move 3 500", b"prio 7 5", b"delete 9", b"add %s" % first, b"random 0"], False),
        ("undo over HTTP", [take_back], False),
        ("random: undo over HTTP", [b"random 1", take_back, b"random 0"], False),
        ("consume/single/repeat", [b"consume 1", b"consume 0", b"single 1", b"single 0", b"repeat 1", b"repeat 0"], False),
        ("playlistinfo", [b"playlistinfo"], True),
        ("playlistid", [b"playlistid"], True),
        ("playlist", [b"playlist"], True),
        ("plchanges 0", [b"plchanges 0"], True),
        ("plchanges 0 tail", [b"plchanges 0 %d:" % (count - 5)], False),
        ("plchangesposid 0", [b"plchangesposid 0"], True),
        ("plchangesposid now", [b"plchangesposid 4294967290"], False),
        ("playlistfind", [b'playlistfind title "zzz"'], False),
        ("playlistsearch", [b'playlistsearch any "e"'], True),
        ("playlistsearch sort", [b'playlistsearch "(title contains \'a\')" sort title window 0:10'], True),
        ("playlistsearch regex", [b'playlistsearch "(title =~ \'a.*b\')"'], True),
        ("play last, next, stop", [b"play %d" % (count - 3), b"next", b"previous", b"stop"], False),
        ("random play next", [b"random 1", b"play", b"next", b"previous", b"next", b"stop", b"random 0"], False),
        ("seek", [b"play 5", b"seekcur 1", b"stop"], False),
        ("add /", [b"add /"], False),
        ("add / at 0", [b"add / 0"], False),
        ("findadd", [b'findadd "(title contains \'a\')"'], False),
        ("searchadd sort", [b'searchadd "(title contains \'a\')" sort title'], False),
        *playlist_works(count, first),
        ("rescan/update", [b"update"], False),
        ("rating of a song", [b"sticker set song %s rating 4" % first], False),
        ("newpartition delpartition", [b"newpartition p", b"renamepartition p q", b"delpartition q"], False),
        ("clear", [b"clear"], True),
    ]


def playlist_works(count, first):
    """The same for stored playlists, of which one has all that the queue has."""
    return [
        ("save", [b"save long", b"rm long"], False),
        ("save once", [b"save long"], True),
        ("save append", [b"save long append", b"save long replace"], True),
        ("listplaylist", [b"listplaylist long"], True),
        ("listplaylistinfo", [b"listplaylistinfo long"], True),
        ("listplaylist tail", [b"listplaylist long %d:" % (count - 5)], False),
        ("playlistlength", [b"playlistlength long"], False),
        ("searchplaylist", [b'searchplaylist long "(title contains \'zz\')"'], False),
        ("playlistadd", [b"playlistadd long %s" % first], False),
        ("playlistadd 0", [b"playlistadd long %s 0" % first], False),
        ("playlistmove", [b"playlistmove long 5 %d" % (count - 10)], False),
        ("playlistmove range", [b"playlistmove long 0:%d 100" % (count // 2)], False),
        ("playlistdelete", [b"playlistdelete long 0"], False),
        ("playlistdelete range", [b"playlistdelete long 0:1000"], False),
        ("listplaylists", [b"listplaylists"], False),
        ("clear + load", [b"clear", b"load long"], True),
        ("load at 0 range", [b"load long 0:%d 0" % (count // 2)], True),
        ("load beyond the limit", [b"load long"], False),
        ("rename", [b"rename long longer", b"rename longer long"], False),
        ("playlistclear", [b"playlistclear long"], True),
        ("rm", [b"rm long"], True),
    ]
