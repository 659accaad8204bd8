extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let database = Transcript(
        #"""
        C: lsinfo
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Title: Root
        S: Date: 1998
        S: Time: 10
        S: duration: 10.000
        S: directory: Anna Ärger
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: directory: Bob
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: directory: Café
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: OK
        C: lsinfo ""
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Title: Root
        S: Date: 1998
        S: Time: 10
        S: duration: 10.000
        S: directory: Anna Ärger
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: directory: Bob
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: directory: Café
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: OK
        C: lsinfo "/"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Title: Root
        S: Date: 1998
        S: Time: 10
        S: duration: 10.000
        S: directory: Anna Ärger
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: directory: Bob
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: directory: Café
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: OK
        C: lsinfo "Anna Ärger"
        S: directory: Anna Ärger/Blau
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: directory: Anna Ärger/Gelb
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: OK
        C: lsinfo "Anna Ärger/Blau"
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
        S: OK
        C: lsinfo "Anna Ärger/Blau/"
        S: ACK [2@0] {lsinfo} Bad relative path
        C: lsinfo "Anna Ärger/Blau/02 - Meer.flac"
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
        S: OK
        C: lsinfo nope
        S: ACK [50@0] {lsinfo} No such directory
        C: lsinfo "nope/nope"
        S: ACK [50@0] {lsinfo} No such directory
        C: lsinfo "mpd-client://cantata/2.5"
        S: ACK [2@0] {lsinfo} Unsupported URI scheme
        C: lsinfo "/etc"
        S: ACK [4@0] {lsinfo} Access to local files via TCP is not allowed
        C: lsinfo a b
        S: ACK [2@0] {lsinfo} too many arguments for "lsinfo"
        C: listall
        S: file: root.flac
        S: directory: Anna Ärger
        S: directory: Anna Ärger/Blau
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: directory: Anna Ärger/Gelb
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: directory: Bob
        S: directory: Bob/Red & "Blue"
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: directory: Café
        S: file: Café/Straße.flac
        S: OK
        C: listall "/"
        S: file: root.flac
        S: directory: Anna Ärger
        S: directory: Anna Ärger/Blau
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: directory: Anna Ärger/Gelb
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: directory: Bob
        S: directory: Bob/Red & "Blue"
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: directory: Café
        S: file: Café/Straße.flac
        S: OK
        C: listall "Bob"
        S: directory: Bob
        S: directory: Bob/Red & "Blue"
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: listall "root.flac"
        S: file: root.flac
        S: OK
        C: listall "Bob/"
        S: ACK [50@0] {listall} No such directory
        C: listall nope
        S: ACK [50@0] {listall} No such directory
        C: listall "http://x/y"
        S: ACK [50@0] {listall} No such directory
        C: listallinfo "Café"
        S: directory: Café
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Artist: CAFÉ
        S: Album: Single
        S: Title: ÉCLAIR Straße
        S: Genre: Pop
        S: MUSICBRAINZ_TRACKID: 0383dadf-2a4e-4d10-a46a-e9e041da8eb3
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: listallinfo "root.flac"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Title: Root
        S: Date: 1998
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: listallinfo "Anna Ärger"
        S: directory: Anna Ärger
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: directory: Anna Ärger/Blau
        S: Last-Modified: 2001-09-09T01:46:43Z
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
        S: directory: Anna Ärger/Gelb
        S: Last-Modified: 2001-09-09T01:46:44Z
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
        C: listfiles nope
        S: ACK [52@0] {listfiles} Failed to open "nope": No such file or directory
        C: find artist Bob
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
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Artist: Bob
        S: Album: Red & "Blue"
        S: Title: It's
        S: Track: 1
        S: Genre: Jazz
        S: Composer: Clara
        S: Performer: Dora
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: tagtypes clear
        S: OK
        C: tagtypes enable Title
        S: OK
        C: find Artist "anna ärger"
        S: OK
        C: search Artist "anna"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: OK
        C: search any "éclair"
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: search title "eclair"
        S: OK
        C: search title "STRASSE"
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Artist == 'Bob')"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find "(Artist == \"Bob\")"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find "((Artist == 'Bob') AND (Genre == 'Jazz'))"
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find "((Artist == 'Bob') AND (!(Genre == 'Jazz')))"
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: OK
        C: find "(!(Artist == 'Anna Ärger'))"
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Artist != 'Anna Ärger')"
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Genre != 'Pop')"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find "(Title contains 'e')"
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Title =~ '^[HM]')"
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: OK
        C: find "(file == 'root.flac')"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find file root.flac
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find filename root.flac
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(base 'Bob')"
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find base "Anna Ärger/Blau"
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: OK
        C: find base nope
        S: ACK [50@0] {find} No such directory
        C: find base ""
        S: ACK [2@0] {find} Bad URI
        C: find albumartist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find albumartistsort "Anna Ärger"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: OK
        C: find "(AlbumArtist == 'Bob')"
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: OK
        C: find artist ""
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find album ""
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Album == '')"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find artist Bob album Blau
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort Title
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort -Title
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort Track
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort -Last-Modified
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Title: Sonne
        S: Time: 9
        S: duration: 9.250
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Title: Zehn
        S: Time: 11
        S: duration: 11.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Artist == 'Anna Ärger')" window 1:3
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Title: Himmel
        S: Time: 10
        S: duration: 10.000
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Title: Meer
        S: Time: 11
        S: duration: 10.500
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort Date window 0:1
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(Artist == 'Anna Ärger')" window 50:60
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort Date window 50:60
        S: OK
        C: find "(Artist == 'Anna Ärger')" sort nope
        S: ACK [2@0] {find} Unknown sort tag
        C: find "(Artist == 'Anna Ärger')" window 3:1
        S: ACK [2@0] {find} Malformed range: 3:1
        C: find "(modified-since '1000000005')"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Title: It's
        S: Time: 12
        S: duration: 12.000
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find modified-since 1000000007
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find modified-since "2001-09-09T01:46:46Z"
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Title: ÉCLAIR Straße
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(AudioFormat == '44100:16:2')" window 0:1
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Title: Root
        S: Time: 10
        S: duration: 10.000
        S: OK
        C: find "(AudioFormat =~ '48000:*:*')"
        S: OK
        C: find nope x
        S: ACK [2@0] {find} Unknown filter type
        C: find artist
        S: ACK [2@0] {find} Incorrect number of filter arguments
        C: find "(Artist == 'Bob'"
        S: ACK [2@0] {find} ')' expected
        C: find "(Artist 'Bob')"
        S: ACK [2@0] {find} Unknown filter operator: 'Bob')
        C: find "(nope == 'x')"
        S: ACK [2@0] {find} Unknown filter type: nope
        C: find "((Artist == 'x') AND )"
        S: ACK [2@0] {find} Word expected
        C: find ""
        S: ACK [2@0] {find} Incorrect number of filter arguments
        C: list artist
        S: Artist: 
        S: Artist: Anna Ärger
        S: Artist: Bob
        S: Artist: CAFÉ
        S: OK
        C: list Album
        S: Album: 
        S: Album: Blau
        S: Album: Gelb
        S: Album: Red & "Blue"
        S: Album: Single
        S: OK
        C: list albumartist
        S: AlbumArtist: 
        S: AlbumArtist: Anna Ärger
        S: AlbumArtist: Bob
        S: AlbumArtist: CAFÉ
        S: OK
        C: list albumartistsort
        S: AlbumArtistSort: 
        S: AlbumArtistSort: Anna Ärger
        S: AlbumArtistSort: Bob
        S: AlbumArtistSort: CAFÉ
        S: AlbumArtistSort: Ärger, Anna
        S: OK
        C: list genre
        S: Genre: 
        S: Genre: Jazz
        S: Genre: Pop
        S: Genre: Rock
        S: OK
        C: list date
        S: Date: 
        S: Date: 1998
        S: Date: 1999
        S: Date: 2001-02-03
        S: Date: 2005
        S: OK
        C: list title artist Bob
        S: Title: It's
        S: Title: Meer
        S: OK
        C: list album "Anna Ärger"
        S: Album: 
        S: Album: Blau
        S: Album: Gelb
        S: OK
        C: list artist "Bob"
        S: ACK [2@0] {list} should be "Album" for 3 arguments
        C: list album artist "Anna Ärger"
        S: Album: 
        S: Album: Blau
        S: Album: Gelb
        S: OK
        C: list album "(Artist == 'Anna Ärger')"
        S: Album: 
        S: Album: Blau
        S: Album: Gelb
        S: OK
        C: list album group albumartist
        S: AlbumArtist: 
        S: Album: 
        S: AlbumArtist: Anna Ärger
        S: Album: 
        S: Album: Blau
        S: Album: Gelb
        S: AlbumArtist: Bob
        S: Album: Red & "Blue"
        S: AlbumArtist: CAFÉ
        S: Album: Single
        S: OK
        C: list album group date group albumartist
        S: AlbumArtist: 
        S: Date: 
        S: Album: 
        S: AlbumArtist: Anna Ärger
        S: Date: 1998
        S: Album: 
        S: Date: 1999
        S: Album: Blau
        S: Date: 2001-02-03
        S: Album: Blau
        S: Date: 2005
        S: Album: Gelb
        S: AlbumArtist: Bob
        S: Date: 
        S: Album: Red & "Blue"
        S: AlbumArtist: CAFÉ
        S: Date: 
        S: Album: Single
        S: OK
        C: list album artist Bob group date
        S: Date: 
        S: Album: Red & "Blue"
        S: Date: 1999
        S: Album: Blau
        S: OK
        C: list title group artist group album
        S: Album: 
        S: Artist: 
        S: Title: 
        S: Artist: Anna Ärger
        S: Title: Root
        S: Album: Blau
        S: Artist: Anna Ärger
        S: Title: Himmel
        S: Title: Meer
        S: Title: Zehn
        S: Artist: Bob
        S: Title: Meer
        S: Album: Gelb
        S: Artist: Anna Ärger
        S: Title: Sonne
        S: Album: Red & "Blue"
        S: Artist: Bob
        S: Title: It's
        S: Album: Single
        S: Artist: CAFÉ
        S: Title: ÉCLAIR Straße
        S: OK
        C: list composer
        S: Composer: 
        S: Composer: Clara
        S: OK
        C: list genre genre Rock
        S: Genre: Pop
        S: Genre: Rock
        S: OK
        C: list nope
        S: ACK [2@0] {list} Unknown tag type: nope
        C: list album group nope
        S: ACK [2@0] {list} Unknown tag type: nope
        C: list album group album
        S: ACK [2@0] {list} Conflicting group
        C: list album group date group date
        S: ACK [2@0] {list} Conflicting group
        C: list file
        S: file: root.flac
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: file: Bob/Red & "Blue"/02.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: file: Café/Straße.flac
        S: OK
        C: list file artist Bob
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: list file artist
        S: ACK [2@0] {list} Incorrect number of filter arguments
        C: list album artist
        S: OK
        C: list
        S: ACK [2@0] {list} too few arguments for "list"
        C: count artist "Anna Ärger"
        S: songs: 5
        S: playtime: 50
        S: OK
        C: count "(Genre == 'Pop')"
        S: songs: 3
        S: playtime: 30
        S: OK
        C: count genre nope
        S: songs: 0
        S: playtime: 0
        S: OK
        C: count group artist
        S: Artist: 
        S: songs: 1
        S: playtime: 10
        S: Artist: Anna Ärger
        S: songs: 5
        S: playtime: 50
        S: Artist: Bob
        S: songs: 2
        S: playtime: 22
        S: Artist: CAFÉ
        S: songs: 1
        S: playtime: 10
        S: OK
        C: count group genre
        S: Genre: 
        S: songs: 3
        S: playtime: 31
        S: Genre: Jazz
        S: songs: 1
        S: playtime: 12
        S: Genre: Pop
        S: songs: 3
        S: playtime: 30
        S: Genre: Rock
        S: songs: 2
        S: playtime: 19
        S: OK
        C: count artist Bob group album
        S: Album: Blau
        S: songs: 1
        S: playtime: 10
        S: Album: Red & "Blue"
        S: songs: 1
        S: playtime: 12
        S: OK
        C: count genre Pop group nope
        S: ACK [2@0] {count} Unknown tag type: nope
        C: count
        S: ACK [2@0] {count} too few arguments for "count"
        C: count artist
        S: ACK [2@0] {count} Incorrect number of filter arguments
        C: readcomments nope
        S: ACK [50@0] {readcomments} No such song
        C: albumart "Anna Ärger/Blau/01 - Himmel.flac" 0
        S: size: 512
        S: binary: 512
        S: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
        S: OK
        C: albumart "Anna Ärger/Blau/01 - Himmel.flac" 500
        S: size: 512
        S: binary: 12
        S: f4f5f6f7f8f9fafbfcfdfeff
        S: OK
        C: albumart "Anna Ärger/Blau/01 - Himmel.flac" 512
        S: size: 512
        S: binary: 0
        S: 
        S: OK
        C: albumart "Anna Ärger/Blau/01 - Himmel.flac" 513
        S: ACK [2@0] {albumart} Offset too large
        C: albumart "Anna Ärger/Blau/nope.flac" 510
        S: size: 512
        S: binary: 2
        S: feff
        S: OK
        C: albumart root.flac 0
        S: ACK [50@0] {albumart} No file exists
        C: albumart "x://x" 0
        S: ACK [2@0] {albumart} Unsupported URI scheme
        C: albumart "/etc/passwd" 0
        S: ACK [4@0] {albumart} Access to local files via TCP is not allowed
        C: albumart root.flac x
        S: ACK [2@0] {albumart} Integer expected: x
        C: readpicture root.flac 0
        S: OK
        C: readpicture nope 0
        S: ACK [50@0] {readpicture} No such song
        C: readpicture "Bob" 0
        S: ACK [50@0] {readpicture} No such song
        C: readpicture root.flac
        S: ACK [2@0] {readpicture} wrong number of arguments for "readpicture"
        C: binarylimit 64
        S: OK
        C: albumart "Anna Ärger/Blau/01 - Himmel.flac" 0
        S: size: 512
        S: binary: 64
        S: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f
        S: OK
        C: binarylimit 63
        S: ACK [2@0] {binarylimit} Value too small
        C: binarylimit 999999999
        S: ACK [2@0] {binarylimit} Number too large: 999999999
        C: binarylimit x
        S: ACK [2@0] {binarylimit} Integer expected: x
        C: update "nope"
        S: updating_db: 1
        S: OK
        C: update "a//b"
        S: ACK [2@0] {update} Malformed path
        C: update ".."
        S: ACK [2@0] {update} Malformed path
        """#)
}
