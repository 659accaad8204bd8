extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let player = Transcript(
        #"""
        C: add "Anna Ärger/Blau"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: play
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: currentsong
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
        S: OK
        C: pause
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: pause
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: pause 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: pause
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: pause 0
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: seekcur 5
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: next
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 1
        S: songid: 2
        S: duration: 10.500
        S: audio: 44100:16:2
        S: nextsong: 2
        S: nextsongid: 3
        S: OK
        C: previous
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 2
        S: OK
        C: playid 3
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 3
        S: duration: 11.000
        S: audio: 44100:16:2
        S: OK
        C: next
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: play 1
        S: OK
        C: move 1 0
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: duration: 10.500
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 1
        S: OK
        C: add "root.flac" +0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/02 - Meer.flac
        S: 1:file: root.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: addid "root.flac" -0
        S: Id: 5
        S: OK
        C: add "Café/Straße.flac" +99
        S: ACK [2@0] {add} Number too large: 99
        C: move 3 +0
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: move 1 +0
        S: ACK [2@0] {move} Cannot move current song relative to itself
        C: moveid 3 -0
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: root.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 5
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 2
        S: duration: 10.500
        S: audio: 44100:16:2
        S: nextsong: 3
        S: nextsongid: 1
        S: OK
        C: deleteid 2
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 4
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 3
        S: nextsongid: 4
        S: OK
        C: single oneshot
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 4
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 1
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 3
        S: nextsongid: 4
        S: OK
        C: single 0
        S: OK
        C: random 0
        S: OK
        C: consume 1
        S: OK
        C: next
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 4
        S: duration: 10.000
        S: audio: 44100:16:2
        S: OK
        C: consume 0
        S: OK
        C: stop
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 4
        S: OK
        C: currentsong
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Artist: Anna Ärger
        S: Title: Root
        S: Date: 1998
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 4
        S: OK
        C: play
        S: OK
        C: seek 0 5
        S: OK
        C: seek 9 5
        S: ACK [2@0] {seek} Bad song index
        C: seekid 99 1
        S: ACK [50@0] {seekid} No such song
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 5
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 3
        S: OK
        C: stop
        S: OK
        C: seekid 4 2
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 4
        S: duration: 10.000
        S: audio: 44100:16:2
        S: OK
        C: clear
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        """#)
}
