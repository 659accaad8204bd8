extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let wanderingThree = Transcript(
        #"""
        C: tagtypes clear
        S: OK
        C: pause 1
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: repeat 0
        S: OK
        C: playlist
        S: OK
        C: move 10 1
        S: ACK [2@0] {move} Bad song index
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
        C: single oneshot
        S: OK
        C: addid "Anna Ärger/Blau/10 - Zehn.flac" +1
        S: ACK [55@0] {addid} No current song
        C: playlist
        S: OK
        C: swapid 5 18
        S: ACK [50@0] {swapid} No such song
        C: single 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: stop
        S: OK
        C: playlist
        S: OK
        C: repeat 1
        S: OK
        C: moveid 13 9
        S: ACK [50@0] {moveid} No such song
        C: prio 108 1:4
        S: ACK [2@0] {prio} Bad song index
        C: playlist
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: single 0
        S: OK
        C: move 6 +3
        S: ACK [55@0] {move} No current song
        C: delete 5:5
        S: ACK [2@0] {delete} Bad song index
        C: playlist
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: pause
        S: OK
        C: add "Café/Straße.flac"
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: OK
        C: delete 9
        S: ACK [2@0] {delete} Bad song index
        C: repeat 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: single 1
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: OK
        C: prio 220 0:10
        S: OK
        C: pause
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 2
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 2
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 12 6
        S: ACK [50@0] {moveid} No such song
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac"
        S: Id: 3
        S: OK
        C: delete 0:4
        S: OK
        C: playlist
        S: OK
        C: prio 16 0:7
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: delete 11:12
        S: ACK [2@0] {delete} Bad song index
        C: deleteid 21
        S: ACK [50@0] {deleteid} No such song
        C: playlist
        S: OK
        C: play 4
        S: ACK [2@0] {play} Bad song index
        C: addid "Anna Ärger/Blau/10 - Zehn.flac"
        S: Id: 4
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "root.flac"
        S: Id: 5
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: OK
        C: deleteid 19
        S: ACK [50@0] {deleteid} No such song
        C: deleteid 18
        S: ACK [50@0] {deleteid} No such song
        C: addid "Bob/Red & \"Blue\"/02.flac"
        S: Id: 6
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swap 3 5
        S: ACK [2@0] {swap} Bad song index
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: move 1:4 4
        S: ACK [2@0] {move} Number too large: 4
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: delete 8
        S: ACK [2@0] {delete} Bad song index
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 12 -1
        S: ACK [50@0] {moveid} No such song
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac"
        S: Id: 7
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: delete 8
        S: ACK [2@0] {delete} Bad song index
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 5
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 9
        S: OK
        C: pause
        S: OK
        C: delete 3:3
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "Anna Ärger/Gelb/01 - Sonne.flac"
        S: Id: 10
        S: OK
        C: delete 0:4
        S: OK
        C: repeat 0
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: delete 1:4
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 30 -0
        S: ACK [50@0] {moveid} No such song
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: delete 1:11
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
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swapid 5 13
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: playlistinfo 5:12
        S: ACK [2@0] {playlistinfo} Bad song index
        C: clear
        S: OK
        C: deleteid 18
        S: ACK [50@0] {deleteid} No such song
        C: playlist
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swap 11 8
        S: ACK [2@0] {swap} Bad song index
        C: swap 4 12
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: delete 2:6
        S: ACK [2@0] {delete} Bad song index
        C: seekcur 3
        S: ACK [55@0] {seekcur} Not playing
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: repeat 0
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: repeat 0
        S: OK
        C: addid "Bob/Red & \"Blue\"/02.flac" 8
        S: ACK [2@0] {addid} Number too large: 8
        C: moveid 28 -3
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 26 +0
        S: ACK [50@0] {moveid} No such song
        C: seekcur +1
        S: ACK [55@0] {seekcur} Not playing
        C: play
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: move 6:9 12
        S: ACK [2@0] {move} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: OK
        C: moveid 11 10
        S: ACK [50@0] {moveid} No such song
        C: addid "Café/Straße.flac"
        S: Id: 13
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: OK
        C: single oneshot
        S: OK
        C: play
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 2
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 13
        S: OK
        C: seekcur -2
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: OK
        C: moveid 8 8
        S: ACK [50@0] {moveid} No such song
        C: moveid 10 +2
        S: ACK [50@0] {moveid} No such song
        C: addid "Bob/Red & \"Blue\"/02.flac" +0
        S: Id: 14
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 14
        S: OK
        C: single oneshot
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 12
        S: OK
        C: swapid 28 1
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: OK
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
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
        S: song: 0
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 14
        S: OK
        C: prioid 111 4 16
        S: ACK [50@0] {prioid} No such song
        C: playlistinfo 5:6
        S: ACK [2@0] {playlistinfo} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 16
        S: OK
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac" 0
        S: Id: 17
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 1
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 2
        S: nextsongid: 14
        S: OK
        C: prio 74 5:7
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: delete 5:10
        S: OK
        C: swapid 29 25
        S: ACK [50@0] {swapid} No such song
        C: add "Anna Ärger/Blau/01 - Himmel.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 1
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 2
        S: nextsongid: 14
        S: OK
        C: moveid 13 +2
        S: OK
        C: playid 18
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 19
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: OK
        C: previous
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 13
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 18
        S: OK
        C: moveid 22 5
        S: ACK [50@0] {moveid} No such song
        C: seekcur -2
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: OK
        C: deleteid 26
        S: ACK [50@0] {deleteid} No such song
        C: move 8 -0
        S: ACK [2@0] {move} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 13
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 18
        S: OK
        C: addid "root.flac"
        S: Id: 20
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: root.flac
        S: OK
        C: move 4 2
        S: OK
        C: move 0 -0
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: root.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 2
        S: songid: 13
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 3
        S: nextsongid: 14
        S: OK
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
        S: OK
        C: deleteid 12
        S: OK
        C: previous
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: deleteid 7
        S: ACK [50@0] {deleteid} No such song
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 17
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 13
        S: OK
        C: pause
        S: OK
        C: delete 8:8
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: deleteid 1
        S: ACK [50@0] {deleteid} No such song
        C: playlistinfo 2:4
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 14
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 11.000
        S: Pos: 3
        S: Id: 15
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: pause
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 17
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 13
        S: OK
        C: moveid 30 +2
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: consume 1
        S: OK
        C: swapid 6 26
        S: ACK [50@0] {swapid} No such song
        C: prio 111 2:6
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: pause
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 17
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 13
        S: OK
        C: swap 1 1
        S: OK
        C: moveid 19 7
        S: OK
        C: add "Anna Ärger/Blau/02 - Meer.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: root.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: swapid 12 8
        S: ACK [50@0] {swapid} No such song
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: pause
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 17
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 13
        S: OK
        C: stop
        S: OK
        C: delete 0:5
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: move 8 +0
        S: ACK [55@0] {move} No current song
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: next
        S: ACK [55@0] {next} Not playing
        C: move 2:3 9
        S: ACK [2@0] {move} Number too large: 9
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swapid 24 2
        S: ACK [50@0] {swapid} No such song
        C: playid 5
        S: ACK [50@0] {playid} No such song
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac" 7
        S: ACK [2@0] {addid} Number too large: 7
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: repeat 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "Anna Ärger/Gelb/01 - Sonne.flac"
        S: Id: 25
        S: OK
        C: addid "Bob/Red & \"Blue\"/02.flac"
        S: Id: 26
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: prio 141 4:12
        S: OK
        C: move 7:7 10
        S: ACK [2@0] {move} Number too large: 10
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: pause 0
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: moveid 28 -0
        S: ACK [50@0] {moveid} No such song
        C: move 0 6
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/02.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swap 4 6
        S: OK
        C: consume 1
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/02.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: repeat 0
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: pause 0
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/02.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: move 0:3 6
        S: ACK [2@0] {move} Number too large: 6
        C: playlistinfo 5:7
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Time: 9
        S: duration: 9.250
        S: Pos: 5
        S: Id: 25
        S: Prio: 141
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 24
        S: Prio: 141
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: pause 0
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/02.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: add "Anna Ärger/Blau/02 - Meer.flac"
        S: OK
        C: stop
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/02.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "root.flac"
        S: Id: 28
        S: OK
        C: clear
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: OK
        C: move 4:6 2
        S: ACK [2@0] {move} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        """#)
}
