extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let options = Transcript(
        #"""
        C: repeat 1
        S: OK
        C: repeat 2
        S: ACK [2@0] {repeat} Boolean (0/1) expected: 2
        C: repeat x
        S: ACK [2@0] {repeat} Boolean (0/1) expected: x
        C: random 1
        S: OK
        C: random 0
        S: OK
        C: single 1
        S: OK
        C: single oneshot
        S: OK
        C: single 2
        S: ACK [2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot
        C: single x
        S: ACK [2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot
        C: consume 1
        S: OK
        C: consume oneshot
        S: OK
        C: consume x
        S: ACK [2@0] {consume} Unrecognized consume mode, expected 0, 1, or oneshot
        C: crossfade 5
        S: OK
        C: crossfade x
        S: ACK [2@0] {crossfade} Integer expected: x
        C: crossfade -1
        S: ACK [2@0] {crossfade} Number too large: -1
        C: mixrampdb -17.5
        S: OK
        C: mixrampdb x
        S: ACK [2@0] {mixrampdb} Float expected: x
        C: mixrampdelay 2
        S: OK
        C: mixrampdelay nan
        S: OK
        C: mixrampdelay x
        S: ACK [2@0] {mixrampdelay} Float expected: x
        C: status
        S: volume: 100
        S: repeat: 1
        S: random: 0
        S: single: oneshot
        S: consume: oneshot
        S: partition: default
        S: playlistlength: 0
        S: mixrampdb: -17.5
        S: state: stop
        S: lastloadedplaylist: 
        S: xfade: 5
        S: OK
        C: repeat 0
        S: OK
        C: single 0
        S: OK
        C: consume 0
        S: OK
        C: crossfade 0
        S: OK
        C: mixrampdb 0
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
