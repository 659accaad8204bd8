extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let wanderingOne = Transcript(
        #"""
        C: tagtypes clear
        S: OK
        C: play
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: stop
        S: OK
        C: playlist
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 1
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: stop
        S: OK
        C: addid "Anna Ärger/Blau/10 - Zehn.flac"
        S: Id: 2
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: single oneshot
        S: OK
        C: addid "Anna Ärger/Blau/02 - Meer.flac"
        S: Id: 3
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
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: consume 1
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: single 0
        S: OK
        C: add "root.flac"
        S: OK
        C: add "Café/Straße.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
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
        C: deleteid 20
        S: ACK [50@0] {deleteid} No such song
        C: playid 11
        S: ACK [50@0] {playid} No such song
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
        S: OK
        C: moveid 19 10
        S: ACK [50@0] {moveid} No such song
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
        C: move 1 12
        S: ACK [2@0] {move} Number too large: 12
        C: addid "Café/Straße.flac"
        S: Id: 6
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Café/Straße.flac
        S: OK
        C: pause 0
        S: OK
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 7
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
        C: swap 3 9
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: moveid 9 4
        S: ACK [50@0] {moveid} No such song
        C: addid "Anna Ärger/Blau/10 - Zehn.flac"
        S: Id: 8
        S: OK
        C: swapid 25 23
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: move 6 -1
        S: ACK [55@0] {move} No current song
        C: playid 11
        S: ACK [50@0] {playid} No such song
        C: playlistinfo 0:12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 11.000
        S: Pos: 1
        S: Id: 2
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 2
        S: Id: 3
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 4
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 5
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 5
        S: Id: 6
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 7
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 11.000
        S: Pos: 7
        S: Id: 8
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: OK
        C: move 1 3
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: addid "Café/Straße.flac" 8
        S: Id: 9
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Café/Straße.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 8:file: Café/Straße.flac
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: OK
        C: delete 5
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 7:file: Café/Straße.flac
        S: OK
        C: move 2:3 4
        S: OK
        C: delete 3
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Café/Straße.flac
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
        C: move 3 -0
        S: ACK [55@0] {move} No current song
        C: add "root.flac"
        S: OK
        C: consume 1
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: root.flac
        S: OK
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 11
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: prioid 133 2 7
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: root.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: delete 5:11
        S: OK
        C: move 2 -0
        S: ACK [55@0] {move} No current song
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
        C: prio 111 7:10
        S: ACK [2@0] {prio} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: deleteid 23
        S: ACK [50@0] {deleteid} No such song
        C: seek 7 2
        S: ACK [2@0] {seek} Bad song index
        C: moveid 30 -1
        S: ACK [50@0] {moveid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
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
        C: swap 9 11
        S: ACK [2@0] {swap} Bad song index
        C: moveid 17 0
        S: ACK [50@0] {moveid} No such song
        C: playlistinfo 2:5
        S: file: Anna Ärger/Blau/10 - Zehn.flac
        S: Last-Modified: 2001-09-09T01:46:43Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 11.000
        S: Pos: 2
        S: Id: 2
        S: Prio: 133
        S: file: root.flac
        S: Last-Modified: 2001-09-09T01:46:48Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 3
        S: Id: 4
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 7
        S: Prio: 133
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: delete 10
        S: ACK [2@0] {delete} Bad song index
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
        C: pause 0
        S: OK
        C: playlistinfo 4:8
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 4
        S: Id: 7
        S: Prio: 133
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: move 0:7 9
        S: ACK [2@0] {move} Bad song index
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 0
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 6
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: moveid 4 2
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: swap 3 9
        S: ACK [2@0] {swap} Bad song index
        C: playid 27
        S: ACK [50@0] {playid} No such song
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
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
        C: seekcur +1
        S: ACK [55@0] {seekcur} Not playing
        C: stop
        S: OK
        C: stop
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: playlistinfo 8:10
        S: ACK [2@0] {playlistinfo} Bad song index
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
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 5
        S: Id: 12
        S: OK
        C: move 9 -3
        S: ACK [55@0] {move} No current song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: playlistinfo 11:11
        S: ACK [2@0] {playlistinfo} Bad song index
        C: next
        S: ACK [55@0] {next} Not playing
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
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 14
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: addid "Anna Ärger/Blau/10 - Zehn.flac" -0
        S: ACK [55@0] {addid} No current song
        C: repeat 1
        S: OK
        C: swap 11 7
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: delete 6:7
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: delete 10:12
        S: ACK [2@0] {delete} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: pause
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 8
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 5
        S: Id: 12
        S: OK
        C: add "Anna Ärger/Gelb/01 - Sonne.flac"
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 5
        S: Id: 12
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 17
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: swap 5 10
        S: ACK [2@0] {swap} Bad song index
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Café/Straße.flac
        S: OK
        C: moveid 11 +1
        S: ACK [50@0] {moveid} No such song
        C: prio 57 9:10
        S: OK
        C: seekcur -2
        S: ACK [55@0] {seekcur} Not playing
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: previous
        S: ACK [55@0] {previous} Not playing
        C: next
        S: ACK [55@0] {next} Not playing
        C: move 0 0
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Bob/Red & "Blue"/02.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Café/Straße.flac
        S: OK
        C: swap 9 8
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 10
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: deleteid 14
        S: OK
        C: repeat 1
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: moveid 20 -3
        S: ACK [50@0] {moveid} No such song
        C: delete 12
        S: ACK [2@0] {delete} Bad song index
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 0
        S: Id: 1
        S: file: Anna Ärger/Blau/02 - Meer.flac
        S: Last-Modified: 2001-09-09T01:46:42Z
        S: Format: 44100:16:2
        S: Time: 11
        S: duration: 10.500
        S: Pos: 1
        S: Id: 3
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 5
        S: Id: 12
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: moveid 1 -2
        S: ACK [55@0] {moveid} No current song
        C: swap 12 5
        S: ACK [2@0] {swap} Bad song index
        C: swapid 10 8
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: OK
        C: move 4 8
        S: OK
        C: playlistinfo 5:11
        S: file: Bob/Red & "Blue"/02.flac
        S: Last-Modified: 2001-09-09T01:46:46Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 5
        S: Id: 15
        S: file: Café/Straße.flac
        S: Last-Modified: 2001-09-09T01:46:47Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 6
        S: Id: 17
        S: Prio: 57
        S: file: Anna Ärger/Gelb/01 - Sonne.flac
        S: Last-Modified: 2001-09-09T01:46:44Z
        S: Format: 44100:16:2
        S: Time: 9
        S: duration: 9.250
        S: Pos: 7
        S: Id: 16
        S: file: Anna Ärger/Blau/01 - Himmel.flac
        S: Last-Modified: 2001-09-09T01:46:41Z
        S: Format: 44100:16:2
        S: Time: 10
        S: duration: 10.000
        S: Pos: 8
        S: Id: 7
        S: Prio: 133
        S: OK
        C: play
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: previous
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 9
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 8
        S: songid: 7
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 0
        S: nextsongid: 1
        S: OK
        C: seek 3 2
        S: OK
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 18
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 19
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 12
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 2
        S: duration: 11.000
        S: audio: 44100:16:2
        S: nextsong: 4
        S: nextsongid: 12
        S: OK
        C: consume 0
        S: OK
        C: playlist
        S: 0:file: Bob/Red & "Blue"/01 - It's.flac
        S: 1:file: Anna Ärger/Blau/02 - Meer.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Café/Straße.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: move 3 -3
        S: ACK [2@0] {move} Cannot move current song relative to itself
        C: addid "root.flac" -3
        S: Id: 21
        S: OK
        C: consume 1
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: Anna Ärger/Blau/02 - Meer.flac
        S: 3:file: root.flac
        S: 4:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 13
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 2
        S: duration: 11.000
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 12
        S: OK
        C: delete 2
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 1
        S: Id: 1
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 4
        S: Id: 12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 12
        S: Id: 22
        S: OK
        C: playlist
        S: 0:file: root.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: root.flac
        S: 3:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Café/Straße.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: single 0
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 13
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 2
        S: duration: 11.000
        S: audio: 44100:16:2
        S: nextsong: 4
        S: nextsongid: 12
        S: OK
        C: prio 7 1:1
        S: OK
        C: swapid 21 2
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: root.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Café/Straße.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: consume 0
        S: OK
        C: addid "Anna Ärger/Gelb/01 - Sonne.flac" 8
        S: Id: 23
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
        S: song: 0
        S: songid: 2
        S: duration: 11.000
        S: audio: 44100:16:2
        S: nextsong: 1
        S: nextsongid: 1
        S: OK
        C: consume 0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: root.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: OK
        C: deleteid 3
        S: ACK [50@0] {deleteid} No such song
        C: stop
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: root.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
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
        S: nextsongid: 1
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 1
        S: Id: 1
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 4
        S: Id: 12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 13
        S: Id: 22
        S: OK
        C: single 0
        S: OK
        C: swapid 30 23
        S: ACK [50@0] {swapid} No such song
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/01 - It's.flac
        S: 2:file: root.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: move 3:11 1
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
        S: nextsongid: 21
        S: OK
        C: pause 0
        S: OK
        C: next
        S: ACK [55@0] {next} Not playing
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Bob/Red & "Blue"/01 - It's.flac
        S: 10:file: root.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: add "Bob/Red & \"Blue\"/02.flac"
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
        S: playlistlength: 16
        S: mixrampdb: 0
        S: state: stop
        S: lastloadedplaylist: 
        S: song: 0
        S: songid: 2
        S: nextsong: 1
        S: nextsongid: 21
        S: OK
        C: repeat 1
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Bob/Red & "Blue"/01 - It's.flac
        S: 10:file: root.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: 15:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: move 1:1 11
        S: OK
        C: seekcur +1
        S: ACK [55@0] {seekcur} Not playing
        C: playid 17
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Café/Straße.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Bob/Red & "Blue"/01 - It's.flac
        S: 10:file: root.flac
        S: 11:file: Café/Straße.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/01 - It's.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: 15:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 16
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 17
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 16
        S: OK
        C: delete 4
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 2
        S: Id: 12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 8
        S: Id: 1
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 12
        S: Id: 22
        S: OK
        C: playlistfind artist Bob
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 2
        S: Id: 12
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 8
        S: Id: 1
        S: file: Bob/Red & "Blue"/01 - It's.flac
        S: Last-Modified: 2001-09-09T01:46:45Z
        S: Format: 44100:16:2
        S: Time: 12
        S: duration: 12.000
        S: Pos: 12
        S: Id: 22
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: root.flac
        S: 10:file: Café/Straße.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: OK
        C: swapid 7 30
        S: ACK [50@0] {swapid} No such song
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 15
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 16
        S: duration: 9.250
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 23
        S: OK
        C: previous
        S: OK
        C: addid "Café/Straße.flac"
        S: Id: 26
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: root.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/02.flac
        S: 4:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 5:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: root.flac
        S: 10:file: Café/Straße.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/01 - It's.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: 15:file: Café/Straße.flac
        S: OK
        C: move 4 8
        S: OK
        C: addid "Anna Ärger/Blau/02 - Meer.flac"
        S: Id: 27
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 17
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 15
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 4
        S: nextsongid: 23
        S: OK
        C: move 1:10 4
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Café/Straße.flac
        S: 2:file: Bob/Red & "Blue"/02.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: 4:file: root.flac
        S: 5:file: Bob/Red & "Blue"/01 - It's.flac
        S: 6:file: Bob/Red & "Blue"/02.flac
        S: 7:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 10:file: Bob/Red & "Blue"/01 - It's.flac
        S: 11:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 12:file: root.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: 15:file: Café/Straße.flac
        S: 16:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: add "Bob/Red & \"Blue\"/01 - It's.flac"
        S: OK
        C: addid "Anna Ärger/Blau/01 - Himmel.flac"
        S: Id: 29
        S: OK
        C: move 1 9
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 9:file: Café/Straße.flac
        S: 10:file: Bob/Red & "Blue"/01 - It's.flac
        S: 11:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 12:file: root.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Bob/Red & "Blue"/02.flac
        S: 15:file: Café/Straße.flac
        S: 16:file: Anna Ärger/Blau/02 - Meer.flac
        S: 17:file: Bob/Red & "Blue"/01 - It's.flac
        S: 18:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 19
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 5
        S: songid: 15
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 6
        S: nextsongid: 23
        S: OK
        C: addid "Anna Ärger/Blau/02 - Meer.flac"
        S: Id: 30
        S: OK
        C: delete 6
        S: OK
        C: consume 1
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Bob/Red & "Blue"/02.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 8:file: Café/Straße.flac
        S: 9:file: Bob/Red & "Blue"/01 - It's.flac
        S: 10:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 11:file: root.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Bob/Red & "Blue"/02.flac
        S: 14:file: Café/Straße.flac
        S: 15:file: Anna Ärger/Blau/02 - Meer.flac
        S: 16:file: Bob/Red & "Blue"/01 - It's.flac
        S: 17:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 18:file: Anna Ärger/Blau/02 - Meer.flac
        S: OK
        C: next
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 1
        S: partition: default
        S: playlistlength: 18
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 5
        S: songid: 7
        S: duration: 10.000
        S: audio: 44100:16:2
        S: nextsong: 6
        S: nextsongid: 18
        S: OK
        C: add "Anna Ärger/Blau/01 - Himmel.flac"
        S: OK
        C: previous
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: root.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Café/Straße.flac
        S: 14:file: Anna Ärger/Blau/02 - Meer.flac
        S: 15:file: Bob/Red & "Blue"/01 - It's.flac
        S: 16:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 17:file: Anna Ärger/Blau/02 - Meer.flac
        S: 18:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: consume 0
        S: OK
        C: repeat 1
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: 0
        S: consume: 0
        S: partition: default
        S: playlistlength: 19
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 5
        S: nextsongid: 7
        S: OK
        C: delete 3
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 9:file: root.flac
        S: 10:file: Bob/Red & "Blue"/02.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Café/Straße.flac
        S: 13:file: Anna Ärger/Blau/02 - Meer.flac
        S: 14:file: Bob/Red & "Blue"/01 - It's.flac
        S: 15:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 16:file: Anna Ärger/Blau/02 - Meer.flac
        S: 17:file: Anna Ärger/Blau/01 - Himmel.flac
        S: OK
        C: single oneshot
        S: OK
        C: add "Café/Straße.flac"
        S: OK
        C: moveid 26 -0
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Bob/Red & "Blue"/01 - It's.flac
        S: 3:file: Café/Straße.flac
        S: 4:file: Bob/Red & "Blue"/01 - It's.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 7:file: Café/Straße.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Anna Ärger/Blau/02 - Meer.flac
        S: 14:file: Bob/Red & "Blue"/01 - It's.flac
        S: 15:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 16:file: Anna Ärger/Blau/02 - Meer.flac
        S: 17:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 18:file: Café/Straße.flac
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 19
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 4
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 4
        S: nextsongid: 12
        S: OK
        C: consume 0
        S: OK
        C: move 2 7
        S: OK
        C: move 11 11
        S: OK
        C: playlist
        S: 0:file: Anna Ärger/Blau/10 - Zehn.flac
        S: 1:file: Bob/Red & "Blue"/02.flac
        S: 2:file: Café/Straße.flac
        S: 3:file: Bob/Red & "Blue"/01 - It's.flac
        S: 4:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 5:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 6:file: Café/Straße.flac
        S: 7:file: Bob/Red & "Blue"/01 - It's.flac
        S: 8:file: Bob/Red & "Blue"/01 - It's.flac
        S: 9:file: Anna Ärger/Gelb/01 - Sonne.flac
        S: 10:file: root.flac
        S: 11:file: Bob/Red & "Blue"/02.flac
        S: 12:file: Bob/Red & "Blue"/02.flac
        S: 13:file: Anna Ärger/Blau/02 - Meer.flac
        S: 14:file: Bob/Red & "Blue"/01 - It's.flac
        S: 15:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 16:file: Anna Ärger/Blau/02 - Meer.flac
        S: 17:file: Anna Ärger/Blau/01 - Himmel.flac
        S: 18:file: Café/Straße.flac
        S: OK
        C: moveid 1 7
        S: OK
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: 0
        S: partition: default
        S: playlistlength: 19
        S: mixrampdb: 0
        S: state: play
        S: lastloadedplaylist: 
        S: song: 3
        S: songid: 12
        S: duration: 12.000
        S: audio: 44100:16:2
        S: nextsong: 3
        S: nextsongid: 12
        S: OK
        """#)
}
