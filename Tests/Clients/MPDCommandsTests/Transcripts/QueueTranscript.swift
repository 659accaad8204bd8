extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let queue = Transcript(
        #"""
        C: add nope
        S: ACK [50@0] {add} No such directory
        C: add "Bob/"
        S: ACK [2@0] {add} Bad relative path
        C: add "/etc/x"
        S: ACK [4@0] {add} Access to local files via TCP is not allowed
        C: add "x://y"
        S: ACK [2@0] {add} Unsupported URI scheme
        C: add "Anna Ärger/Blau"
        S: OK
        C: playlistinfo
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: AlbumArtist: Anna Ärger
        S: Album: Blau
        S: Title: Himmel
        S: Track: 1
        S: Date: 1999
        S: Genre: Pop
        S: Genre: Rock
        S: Disc: 1
        S: Time: 10
        S: duration: 10.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Artist: Bob
        S: AlbumArtist: Anna Ärger
        S: Album: Blau
        S: Title: Meer
        S: Track: 2
        S: Date: 1999
        S: Genre: Pop
        S: Disc: 1
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: AlbumArtist: Anna Ärger
        S: Album: Blau
        S: Title: Zehn
        S: Track: 10
        S: Date: 2001-02-03
        S: Disc: 1
        S: Time: 11
        S: duration: 11.000
        S: Pos: 2
        S: Id: 3
        S: OK
        C: tagtypes clear
        S: OK
        C: tagtypes enable Title
        S: OK
        C: add "root.flac" 0
        S: OK
        C: add "Café/Straße.flac" +0
        S: ACK [55@0] {add} No current song
        C: add "Café/Straße.flac" 99
        S: ACK [2@0] {add} Number too large: 99
        C: add "Café/Straße.flac" x
        S: ACK [2@0] {add} Integer expected: x
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: addid "Bob"
        S: ACK [50@0] {addid} No such song
        C: addid ""
        S: ACK [2@0] {addid} Bad relative path
        C: addid nope
        S: ACK [50@0] {addid} No such song
        C: addid "root.flac"
        S: Id: 5
        S: OK
        C: addid "root.flac" 1
        S: Id: 6
        S: OK
        C: addid "root.flac" 99
        S: ACK [2@0] {addid} Number too large: 99
        C: addid "root.flac" -1
        S: ACK [55@0] {addid} No current song
        C: addid "http://example.org/radio#Name" 0
        S: Id: 7
        S: OK
        C: playlist
        S: 0:file: http://example.org/radio#Name
        S: 1:file: root.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: root.flac
        S: OK
        C: playlistinfo 0
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: OK
        C: playlistinfo 6:
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: playlistinfo 1:3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: OK
        C: playlistinfo 7:
        S: OK
        C: playlistinfo 99
        S: ACK [2@0] {playlistinfo} Bad song index
        C: playlistinfo x
        S: ACK [2@0] {playlistinfo} Integer or range expected: x
        C: playlistinfo 3:1
        S: ACK [2@0] {playlistinfo} Malformed range: 3:1
        C: playlistinfo :3
        S: ACK [2@0] {playlistinfo} Integer or range expected: :3
        C: playlistinfo -1
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 4
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: playlistinfo -2
        S: ACK [2@0] {playlistinfo} Number is negative: -2
        C: playlistid 1
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: OK
        C: playlistid 99
        S: ACK [50@0] {playlistid} No such song
        C: playlistid x
        S: ACK [2@0] {playlistid} Integer expected: x
        C: plchanges 0
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 4
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: plchanges 5
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 4
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: plchanges 99
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 4
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: plchanges -1
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 4
        S: Id: 2
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: plchanges x
        S: ACK [2@0] {plchanges} Integer expected: x
        C: plchanges 0 1:2
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 1
        S: Id: 4
        S: OK
        C: plchangesposid 0
        S: cpos: 0
        S: Id: 7
        S: cpos: 1
        S: Id: 4
        S: cpos: 2
        S: Id: 6
        S: cpos: 3
        S: Id: 1
        S: cpos: 4
        S: Id: 2
        S: cpos: 5
        S: Id: 3
        S: cpos: 6
        S: Id: 5
        S: OK
        C: plchangesposid 4 0:3
        S: cpos: 0
        S: Id: 7
        S: cpos: 1
        S: Id: 4
        S: cpos: 2
        S: Id: 6
        S: OK
        C: move 0 2
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: root.flac
        S: 2:file: http://example.org/radio#Name
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: root.flac
        S: OK
        C: move 0:2 3
        S: OK
        C: playlist
        S: 0:file: http://example.org/radio#Name
        S: 1:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: root.flac
        S: OK
        C: move 0 99
        S: ACK [2@0] {move} Number too large: 99
        C: move 99 0
        S: ACK [2@0] {move} Bad song index
        C: move -1 0
        S: ACK [2@0] {move} Open-ended range not supported
        C: move 1: 0
        S: ACK [2@0] {move} Open-ended range not supported
        C: move 2:2 0
        S: ACK [2@0] {move} Bad song index
        C: move 0 +0
        S: ACK [55@0] {move} No current song
        C: moveid 1 0
        S: OK
        C: moveid 99 0
        S: ACK [50@0] {moveid} No such song
        C: moveid 1 99
        S: ACK [2@0] {moveid} Number too large: 99
        C: playlist
        S: 0:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 1:file: http://example.org/radio#Name
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: root.flac
        S: OK
        C: swap 0 1
        S: OK
        C: swap 0 99
        S: ACK [2@0] {swap} Bad song index
        C: swapid 1 2
        S: OK
        C: swapid 1 99
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: http://example.org/radio#Name
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: root.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: root.flac
        S: OK
        C: prio 10 0
        S: OK
        C: prio 20 1:3
        S: OK
        C: prio 256 0
        S: ACK [2@0] {prio} Number too large: 256
        C: prio 10 99
        S: ACK [2@0] {prio} Bad song index
        C: prio 10
        S: ACK [2@0] {prio} too few arguments for "prio"
        C: prioid 5 1
        S: OK
        C: prioid 5 99
        S: ACK [50@0] {prioid} No such song
        C: prioid 5 1 99 2
        S: ACK [50@0] {prioid} No such song
        C: prio 0 99 1
        S: ACK [2@0] {prio} Bad song index
        C: playlistinfo 0:3
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: Prio: 10
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 5
        S: OK
        C: playlistfind artist "Anna Ärger"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 5
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 6
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: playlistfind title Meer
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: OK
        C: playlistsearch title "me"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 5
        S: OK
        C: playlistfind "(Title == 'Meer')"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: OK
        C: playlistfind file root.flac
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 6
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: playlistfind artist
        S: ACK [2@0] {playlistfind} Incorrect number of filter arguments
        C: playlistsearch any "ANNA"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 2
        S: Prio: 20
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 5
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 4
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 6
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 5
        S: OK
        C: addtagid 1 title Foo
        S: ACK [4@0] {addtagid} Cannot edit tags of local file
        C: addtagid 7 title Foo
        S: OK
        C: addtagid 7 title ""
        S: OK
        C: addtagid 7 nope Foo
        S: ACK [2@0] {addtagid} Unknown tag type: nope
        C: addtagid 99 title Foo
        S: ACK [50@0] {addtagid} No such song
        C: cleartagid 1
        S: ACK [4@0] {cleartagid} Cannot edit tags of local file
        C: cleartagid 99
        S: ACK [50@0] {cleartagid} No such song
        C: cleartagid 1 nope
        S: ACK [2@0] {cleartagid} Unknown tag type: nope
        C: playlistid 7
        S: file: http://example.org/radio#Name
        S: Title: Foo
        S: Pos: 0
        S: Id: 7
        S: Prio: 10
        S: OK
        C: cleartagid 7 title
        S: OK
        C: playlistid 7
        S: file: http://example.org/radio#Name
        S: Pos: 0
        S: Id: 7
        S: Prio: 10
        S: OK
        C: delete 99
        S: ACK [2@0] {delete} Bad song index
        C: delete x
        S: ACK [2@0] {delete} Integer or range expected: x
        C: delete 6
        S: OK
        C: delete 7
        S: ACK [2@0] {delete} Bad song index
        C: deleteid 1
        S: OK
        C: deleteid 1
        S: ACK [50@0] {deleteid} No such song
        C: deleteid x
        S: ACK [2@0] {deleteid} Integer expected: x
        C: delete 1:3
        S: OK
        C: playlist
        S: 0:file: http://example.org/radio#Name
        S: 1:file: root.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: shuffle 1:0
        S: ACK [2@0] {shuffle} Malformed range: 1:0
        C: shuffle 99:100
        S: ACK [2@0] {shuffle} Bad song index
        C: delete -1
        S: OK
        C: playlistinfo
        S: OK
        C: delete 0
        S: OK
        C: play 0
        S: ACK [2@0] {play} Bad song index
        C: play -1
        S: OK
        C: play
        S: OK
        C: playid
        S: OK
        C: playid 1
        S: ACK [50@0] {playid} No such song
        C: playid -1
        S: OK
        C: playid -5
        S: ACK [50@0] {playid} No such song
        C: play -5
        S: ACK [2@0] {play} Bad song index
        C: play x
        S: ACK [2@0] {play} Integer expected: x
        C: pause
        S: OK
        C: pause 1
        S: OK
        C: pause 2
        S: ACK [2@0] {pause} Boolean (0/1) expected: 2
        C: stop
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: seek 0 1
        S: ACK [2@0] {seek} Bad song index
        C: seekid 1 1
        S: ACK [50@0] {seekid} No such song
        C: seekcur 1
        S: ACK [55@0] {seekcur} Not playing
        C: seekcur x
        S: ACK [2@0] {seekcur} Float expected: x
        C: seek 0 -1
        S: ACK [2@0] {seek} Negative value not allowed: -1
        C: seek x 1
        S: ACK [2@0] {seek} Integer expected: x
        C: currentsong
        S: OK
        C: findadd artist Bob
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: clear
        S: OK
        C: searchadd artist "anna" 
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: searchadd title ZEHN position 0
        S: OK
        C: searchadd title ZEHN position 99
        S: ACK [2@0] {searchadd} Number too large: 99
        C: searchadd title ZEHN position +0
        S: ACK [55@0] {searchadd} No current song
        C: findadd artist Nobody
        S: OK
        C: findadd nope x
        S: ACK [2@0] {findadd} Unknown filter type
        C: findadd "(Artist == 'Bob')" sort Title window 0:1
        S: OK
        C: findadd base nope
        S: ACK [50@0] {findadd} No such directory
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: clear
        S: OK
        C: add ""
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Café/Straße.flac
        S: OK
        C: clear
        S: OK
        C: add "/"
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Café/Straße.flac
        S: OK
        C: clear a
        S: ACK [2@0] {clear} wrong number of arguments for "clear"
        """#)
}
