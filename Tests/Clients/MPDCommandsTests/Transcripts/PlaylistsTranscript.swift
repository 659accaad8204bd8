extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let playlists = Transcript(
        #"""
        C: listplaylists
        S: OK
        C: listplaylist nope
        S: ACK [50@0] {listplaylist} No such playlist
        C: listplaylistinfo nope
        S: ACK [50@0] {listplaylistinfo} No such playlist
        C: load nope
        S: ACK [50@0] {load} No such playlist
        C: rm nope
        S: ACK [50@0] {rm} No such playlist
        C: rename nope other
        S: ACK [50@0] {rename} No such playlist
        C: playlistclear nope
        S: ACK [50@0] {playlistclear} No such playlist
        C: playlistdelete nope 0
        S: ACK [50@0] {playlistdelete} No such playlist
        C: playlistmove nope 0 1
        S: ACK [50@0] {playlistmove} No such playlist
        C: playlistmove nope 2 2
        S: OK
        C: save "a/b"
        S: ACK [2@0] {save} Bad playlist name
        C: save ""
        S: ACK [2@0] {save} Bad playlist name
        C: playlistadd "a/b" root.flac
        S: ACK [2@0] {playlistadd} Bad playlist name
        C: listplaylist "a/b"
        S: ACK [50@0] {listplaylist} No such playlist
        C: listplaylist "a/"
        S: ACK [2@0] {listplaylist} Bad relative path
        C: load "http://127.0.0.1:1/x.m3u"
        S: ACK [50@0] {load} No such playlist
        C: load "x://y"
        S: ACK [5@0] {load} Unrecognized URI
        C: add "Anna Ärger"
        S: OK
        C: save one
        S: OK
        C: save one
        S: ACK [56@0] {save} Playlist already exists
        C: listplaylist one
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: listplaylistinfo one
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
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: ArtistSort: Ärger, Anna
        S: AlbumArtist: Anna Ärger
        S: AlbumArtistSort: Ärger, Anna
        S: Album: Gelb
        S: Title: Sonne
        S: Track: 1
        S: Date: 2005
        S: Genre: Rock
        S: Time: 9
        S: duration: 9.250
        S: OK
        C: playlistadd one root.flac
        S: OK
        C: playlistadd one nope
        S: ACK [50@0] {playlistadd} No such directory
        C: playlistadd one "Bob"
        S: OK
        C: playlistadd one "http://example.org/stream#Frag"
        S: OK
        C: playlistadd one "x://y"
        S: ACK [2@0] {playlistadd} Unsupported URI scheme
        C: listplaylist one
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: file: root.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: http://example.org/stream#Frag
        S: OK
        C: playlistadd one "root.flac" 0
        S: OK
        C: playlistadd one "root.flac" 99
        S: ACK [2@0] {playlistadd} Bad position
        C: playlistadd two "root.flac" 1
        S: ACK [2@0] {playlistadd} Bad position
        C: playlistadd two "root.flac" 0
        S: OK
        C: listplaylist two
        S: file: root.flac
        S: OK
        C: listplaylist one
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: file: root.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: http://example.org/stream#Frag
        S: OK
        C: playlistdelete one 0
        S: OK
        C: playlistdelete one 99
        S: ACK [2@0] {playlistdelete} Bad song index
        C: playlistdelete one 2:4
        S: OK
        C: playlistdelete one x
        S: ACK [2@0] {playlistdelete} Integer or range expected: x
        C: listplaylist one
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: root.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: http://example.org/stream#Frag
        S: OK
        C: playlistmove one 0 2
        S: OK
        C: playlistmove one 0 99
        S: ACK [2@0] {playlistmove} Bad range
        C: playlistmove one 99 0
        S: ACK [2@0] {playlistmove} Bad range
        C: listplaylist one
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: http://example.org/stream#Frag
        S: OK
        C: rename one two
        S: ACK [56@0] {rename} Playlist exists already
        C: rename one three
        S: OK
        C: rename "a/b" x
        S: ACK [2@0] {rename} Bad playlist name
        C: listplaylist one
        S: ACK [50@0] {listplaylist} No such playlist
        C: listplaylist three
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: http://example.org/stream#Frag
        S: OK
        C: clear
        S: OK
        C: load three
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: root.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: http://example.org/stream#Frag
        S: OK
        C: load three 1:2
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: root.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: http://example.org/stream#Frag
        S: 6:file: root.flac
        S: OK
        C: load three 0:1 0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: http://example.org/stream#Frag
        S: 7:file: root.flac
        S: OK
        C: load three 0:1 99
        S: ACK [2@0] {load} Number too large: 99
        C: load three x
        S: ACK [2@0] {load} Integer or range expected: x
        C: load three 99:100
        S: OK
        C: load two 0:1 +0
        S: ACK [55@0] {load} No current song
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: http://example.org/stream#Frag
        S: 7:file: root.flac
        S: OK
        C: playlistclear three
        S: OK
        C: listplaylist three
        S: OK
        C: rm three
        S: OK
        C: rm three
        S: ACK [50@0] {rm} No such playlist
        C: searchaddpl four artist anna
        S: OK
        C: listplaylist four
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: searchaddpl five artist nobody
        S: OK
        C: listplaylist five
        S: ACK [50@0] {listplaylist} No such playlist
        C: searchaddpl four title root position 0
        S: OK
        C: searchaddpl four title root position 99
        S: ACK [2@0] {searchaddpl} Bad position
        C: searchaddpl "a/b" title root
        S: ACK [2@0] {searchaddpl} Bad playlist name
        C: searchaddpl four nope x
        S: ACK [2@0] {searchaddpl} Unknown filter type
        C: listplaylist four
        S: file: root.flac
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        """#)
}
