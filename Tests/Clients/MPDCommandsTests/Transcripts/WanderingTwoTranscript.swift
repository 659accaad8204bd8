extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let wanderingTwo = Transcript(
        #"""
        C: tagtypes clear
        S: OK
        C: pause
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 1
        S: OK
        C: add "Anna Ärger/Gelb/01 - Sonne.flac"
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: consume 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 2
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: pause 1
        S: OK
        C: playlistfind artist Bob
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
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 16 6
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: move 3:11 8
        S: ACK [2@0] {move} Bad song index
        C: seekcur -2
        S: ACK [55@0] {seekcur} Not playing
        C: delete 6
        S: ACK [2@0] {delete} Bad song index
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
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
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: pause 1
        S: OK
        C: moveid 13 10
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: playlistinfo 7:8
        S: ACK [2@0] {playlistinfo} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 3
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: play 11
        S: ACK [2@0] {play} Bad song index
        C: addid "Anna Ärger/Blau/10 - Zehn.flac" +1
        S: ACK [55@0] {addid} No current song
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: stop
        S: OK
        C: pause
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
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "Anna Ärger/Blau/02 - Meer.flac" 2
        S: Id: 4
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: add "root.flac"
        S: OK
        C: moveid 27 12
        S: ACK [50@0] {moveid} No such song
        C: prio 160 11:12
        S: ACK [2@0] {prio} Bad song index
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: root.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 5
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swapid 2 26
        S: ACK [50@0] {swapid} No such song
        C: addid "Bob/Red & \"Blue\"/02.flac"
        S: Id: 6
        S: OK
        C: pause
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: add "Café/Straße.flac"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: play 3
        S: OK
        C: next
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: playlistinfo 0:1
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 0
        S: Id: 1
        S: OK
        C: delete 12
        S: ACK [2@0] {delete} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: swap 3 9
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: delete 6:7
        S: OK
        C: single 1
        S: OK
        C: stop
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: swapid 1 17
        S: ACK [50@0] {swapid} No such song
        C: move 4:8 5
        S: ACK [2@0] {move} Number too large: 5
        C: stop
        S: OK
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: prio 175 1:11
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: swapid 4 23
        S: ACK [50@0] {swapid} No such song
        C: prioid 177 11 14
        S: ACK [50@0] {prioid} No such song
        C: playlist
        S: 0:file: Café/Straße.flac
        S: 1:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: moveid 21 1
        S: ACK [50@0] {moveid} No such song
        C: move 8 6
        S: ACK [2@0] {move} Number too large: 6
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: moveid 1 -0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: move 2 10
        S: ACK [2@0] {move} Number too large: 10
        C: pause
        S: OK
        C: moveid 9 10
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: swap 6 0
        S: ACK [2@0] {swap} Bad song index
        C: move 4:10 2
        S: ACK [2@0] {move} Number too large: 2
        C: swapid 24 6
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: delete 8:8
        S: ACK [2@0] {delete} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: prioid 101 14 15
        S: ACK [50@0] {prioid} No such song
        C: move 9:9 11
        S: ACK [2@0] {move} Number too large: 11
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: swapid 3 14
        S: ACK [50@0] {swapid} No such song
        C: addid "Anna Ärger/Blau/02 - Meer.flac"
        S: Id: 8
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 5
        S: nextsong: 4
        S: nextsongid: 6
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: swap 5 3
        S: OK
        C: seekcur -2
        S: ACK [55@0] {seekcur} Not playing
        C: playlistinfo 2:4
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 7
        S: Prio: 175
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: root.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 5
        S: songid: 5
        S: nextsong: 6
        S: nextsongid: 8
        S: OK
        C: stop
        S: OK
        C: addid "Anna Ärger/Blau/10 - Zehn.flac"
        S: Id: 10
        S: OK
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: root.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 5
        S: songid: 5
        S: nextsong: 6
        S: nextsongid: 8
        S: OK
        C: prio 203 1:10
        S: OK
        C: delete 5
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: addid "Anna Ärger/Blau/02 - Meer.flac"
        S: Id: 12
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: move 2 -0
        S: ACK [55@0] {move} No current song
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 14
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: 10:file: Bob/Red & "Blue"/01 - It's.flac
        S: 11:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 1
        S: consume: 1
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: playlistfind artist Bob
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 203
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 5
        S: Id: 8
        S: Prio: 203
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 6
        S: Id: 9
        S: Prio: 203
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 9
        S: Id: 12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 10
        S: Id: 13
        S: OK
        C: move 1:1 11
        S: OK
        C: single oneshot
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 8:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: 10:file: Bob/Red & "Blue"/01 - It's.flac
        S: 11:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: move 5 +2
        S: ACK [55@0] {move} No current song
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: delete 6:11
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: play
        S: OK
        C: pause 0
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: duration: 9.250
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: stop
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: playlistinfo 2:11
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 203
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 7
        S: Prio: 203
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 6
        S: Prio: 203
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 5
        S: Id: 8
        S: Prio: 203
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 14
        S: OK
        C: prio 148 5:10
        S: OK
        C: repeat 1
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: playlistinfo 4:5
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 6
        S: Prio: 203
        S: OK
        C: delete 3:4
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 15
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: OK
        C: add "Anna Ärger/Blau/02 - Meer.flac"
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
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: deleteid 8
        S: OK
        C: prio 25 0:2
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: prio 172 5:6
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 7
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: swapid 12 15
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: addid "Bob/Red & \"Blue\"/02.flac"
        S: Id: 17
        S: OK
        C: move 8 11
        S: ACK [2@0] {move} Number too large: 11
        C: add "Anna Ärger/Blau/02 - Meer.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/02 - Meer.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: repeat 0
        S: OK
        C: playlistfind artist Bob
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 25
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 6
        S: Id: 16
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 8
        S: Id: 18
        S: OK
        C: addid "Anna Ärger/Blau/10 - Zehn.flac" +2
        S: Id: 19
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: move 4:12 1
        S: ACK [2@0] {move} Bad song index
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: move 10 4
        S: ACK [2@0] {move} Bad song index
        C: swap 10 1
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/02.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: move 6 3
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: playlistfind artist Bob
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 25
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 7
        S: Id: 16
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 9
        S: Id: 18
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: consume 1
        S: OK
        C: addid "Anna Ärger/Gelb/01 - Sonne.flac"
        S: Id: 20
        S: OK
        C: consume 0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: 10:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 11
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: add "root.flac"
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Blau/02 - Meer.flac
        S: 10:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 11:file: root.flac
        S: OK
        C: move 6 +2
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: swapid 28 6
        S: ACK [50@0] {swapid} No such song
        C: delete 9:10
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: OK
        C: repeat 1
        S: OK
        C: playlistinfo 0:4
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Time: 9
        S: duration: 9.250
        S: Pos: 0
        S: Id: 2
        S: Prio: 25
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 25
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 203
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 14
        S: Prio: 148
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 11
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: playlistinfo 0:10
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Time: 9
        S: duration: 9.250
        S: Pos: 0
        S: Id: 2
        S: Prio: 25
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 25
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 2
        S: Id: 1
        S: Prio: 203
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 14
        S: Prio: 148
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 15
        S: Prio: 172
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 11.000
        S: Pos: 5
        S: Id: 19
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 6
        S: Prio: 203
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 7
        S: Id: 16
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 8
        S: Id: 17
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Time: 9
        S: duration: 9.250
        S: Pos: 9
        S: Id: 20
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: OK
        C: playid 27
        S: ACK [50@0] {playid} No such song
        C: add "root.flac"
        S: OK
        C: stop
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: root.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac"
        S: Id: 23
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: root.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 25
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 0
        S: nextsongid: 2
        S: OK
        C: prioid 12 3 26
        S: ACK [50@0] {prioid} No such song
        C: single 0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/02 - Meer.flac
        S: 8:file: Bob/Red & "Blue"/02.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: root.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Café/Straße.flac
        S: OK
        C: delete 8:11
        S: OK
        C: moveid 6 8
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: delete 4
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: root.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Bob/Red & "Blue"/01 - It's.flac
        S: 10:file: Café/Straße.flac
        S: OK
        C: delete 12
        S: ACK [2@0] {delete} Bad song index
        C: swap 5 6
        S: OK
        C: moveid 19 10
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Café/Straße.flac
        S: 10:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 11
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: deleteid 11
        S: ACK [50@0] {deleteid} No such song
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 26
        S: OK
        C: addid "Bob/Red & \"Blue\"/01 - It's.flac"
        S: Id: 27
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Café/Straße.flac
        S: 10:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 11:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
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
        S: playlistlength: 13
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: swapid 14 1
        S: OK
        C: seekcur +1
        S: ACK [55@0] {seekcur} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Café/Straße.flac
        S: 10:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 11:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: addid "Bob/Red & \"Blue\"/02.flac"
        S: Id: 28
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 29
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 4
        S: OK
        C: seekcur -2
        S: ACK [55@0] {seekcur} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: root.flac
        S: 5:file: Anna Ärger/Blau/02 - Meer.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Café/Straße.flac
        S: 10:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 11:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Café/Straße.flac
        S: OK
        C: deleteid 1
        S: OK
        C: seek 12 2
        S: OK
        C: playid 3
        S: ACK [50@0] {playid} No such song
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Café/Straße.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 14
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 12
        S: songid: 28
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 13
        S: nextsongid: 29
        S: OK
        C: consume 1
        S: OK
        C: moveid 1 11
        S: ACK [50@0] {moveid} No such song
        C: add "root.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/02 - Meer.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Café/Straße.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Café/Straße.flac
        S: 14:file: root.flac
        S: OK
        C: move 0:4 12
        S: ACK [2@0] {move} Number too large: 12
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 12
        S: songid: 28
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 13
        S: nextsongid: 29
        S: OK
        C: move 3 4
        S: OK
        C: add "Anna Ärger/Blau/10 - Zehn.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Café/Straße.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Café/Straße.flac
        S: 14:file: root.flac
        S: 15:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: deleteid 7
        S: ACK [50@0] {deleteid} No such song
        C: playlistinfo 5:9
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 5
        S: Id: 6
        S: Prio: 203
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 6
        S: Id: 23
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 7
        S: Id: 24
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 8
        S: Id: 25
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 16
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 12
        S: songid: 28
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 13
        S: nextsongid: 29
        S: OK
        C: next
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Café/Straße.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Café/Straße.flac
        S: 13:file: root.flac
        S: 14:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: swap 7 8
        S: OK
        C: stop
        S: OK
        C: repeat 1
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Café/Straße.flac
        S: 13:file: root.flac
        S: 14:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 12
        S: songid: 29
        S: nextsong: 13
        S: nextsongid: 30
        S: OK
        C: repeat 0
        S: OK
        C: playlistfind artist Bob
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 4
        S: Prio: 25
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 3
        S: Id: 16
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 6
        S: Id: 23
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 8
        S: Id: 24
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 11
        S: Id: 27
        S: OK
        C: consume 1
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 3:file: Anna Ärger/Blau/02 - Meer.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Bob/Red & "Blue"/01 - It's.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Bob/Red & "Blue"/01 - It's.flac
        S: 12:file: Café/Straße.flac
        S: 13:file: root.flac
        S: 14:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: move 1 +2
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 11
        S: songid: 29
        S: nextsong: 12
        S: nextsongid: 30
        S: OK
        """#)
}
