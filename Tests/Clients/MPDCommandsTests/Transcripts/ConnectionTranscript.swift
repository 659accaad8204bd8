extension Transcript {
    /// Recorded from MPD 0.23.12 over the songs of `FixtureSongs`; where 0.24 differs, its source's answer.
    static let connection = Transcript(
        #"""
        C: ping
        S: OK
        C: ping x
        S: ACK [2@0] {ping} wrong number of arguments for "ping"
        C: tagtypes
        S: tagtype: Artist
        S: tagtype: ArtistSort
        S: tagtype: Album
        S: tagtype: AlbumSort
        S: tagtype: AlbumArtist
        S: tagtype: AlbumArtistSort
        S: tagtype: Title
        S: tagtype: TitleSort
        S: tagtype: Track
        S: tagtype: Name
        S: tagtype: Genre
        S: tagtype: Mood
        S: tagtype: Date
        S: tagtype: OriginalDate
        S: tagtype: Composer
        S: tagtype: ComposerSort
        S: tagtype: Performer
        S: tagtype: Conductor
        S: tagtype: Work
        S: tagtype: Movement
        S: tagtype: MovementNumber
        S: tagtype: ShowMovement
        S: tagtype: Ensemble
        S: tagtype: Location
        S: tagtype: Grouping
        S: tagtype: Disc
        S: tagtype: DiscSubtitle
        S: tagtype: Label
        S: tagtype: MUSICBRAINZ_ARTISTID
        S: tagtype: MUSICBRAINZ_ALBUMID
        S: tagtype: MUSICBRAINZ_ALBUMARTISTID
        S: tagtype: MUSICBRAINZ_TRACKID
        S: tagtype: MUSICBRAINZ_RELEASETRACKID
        S: tagtype: MUSICBRAINZ_WORKID
        S: tagtype: MUSICBRAINZ_RELEASEGROUPID
        S: OK
        C: tagtypes clear
        S: OK
        C: tagtypes
        S: OK
        C: tagtypes enable artist TITLE
        S: OK
        C: tagtypes
        S: tagtype: Artist
        S: tagtype: Title
        S: OK
        C: tagtypes disable Artist
        S: OK
        C: tagtypes
        S: tagtype: Title
        S: OK
        C: tagtypes enable nope
        S: ACK [2@0] {tagtypes} Unknown tag type
        C: tagtypes enable
        S: ACK [2@0] {tagtypes} Not enough arguments
        C: tagtypes all x
        S: ACK [2@0] {tagtypes} Too many arguments
        C: tagtypes foo
        S: ACK [2@0] {tagtypes} Unknown sub command
        C: tagtypes clear x
        S: ACK [2@0] {tagtypes} Too many arguments
        C: tagtypes all
        S: OK
        C: password foo
        S: ACK [3@0] {password} incorrect password
        C: config
        S: ACK [4@0] {config} Command only permitted to local clients
        C: listmounts
        S: mount: 
        S: OK
        C: listpartitions
        S: partition: default
        S: OK
        C: partition default
        S: OK
        C: partition nope
        S: ACK [50@0] {partition} partition does not exist
        C: outputs
        S: outputid: 0
        S: outputname: Null
        S: plugin: null
        S: outputenabled: 1
        S: OK
        C: enableoutput 0
        S: OK
        C: disableoutput 0
        S: OK
        C: outputs
        S: outputid: 0
        S: outputname: Null
        S: plugin: null
        S: outputenabled: 0
        S: OK
        C: toggleoutput 0
        S: OK
        C: outputs
        S: outputid: 0
        S: outputname: Null
        S: plugin: null
        S: outputenabled: 1
        S: OK
        C: enableoutput 7
        S: ACK [50@0] {enableoutput} No such audio output
        C: enableoutput x
        S: ACK [2@0] {enableoutput} Integer expected: x
        C: enableoutput -1
        S: ACK [2@0] {enableoutput} Number too large: -1
        C: toggleoutput 9
        S: ACK [50@0] {toggleoutput} No such audio output
        C: outputset 0 x y
        S: ACK [2@0] {outputset} Unsupported attribute
        C: outputset 0 "x y" z
        S: ACK [2@0] {outputset} Illegal attribute name
        C: outputset 5 x y
        S: ACK [50@0] {outputset} No such audio output
        C: channels
        S: OK
        C: subscribe foo
        S: OK
        C: subscribe foo
        S: ACK [56@0] {subscribe} already subscribed to this channel
        C: subscribe "a b"
        S: ACK [2@0] {subscribe} invalid channel name
        C: subscribe ""
        S: ACK [2@0] {subscribe} invalid channel name
        C: channels
        S: channel: foo
        S: OK
        C: sendmessage foo "hello world"
        S: OK
        C: sendmessage bar x
        S: ACK [50@0] {sendmessage} nobody is subscribed to this channel
        C: sendmessage "b r" x
        S: ACK [2@0] {sendmessage} invalid channel name
        C: readmessages
        S: channel: foo
        S: message: hello world
        S: OK
        C: readmessages
        S: OK
        C: unsubscribe foo
        S: OK
        C: unsubscribe foo
        S: ACK [50@0] {unsubscribe} not subscribed to this channel
        C: unsubscribe "a b"
        S: ACK [50@0] {unsubscribe} not subscribed to this channel
        C: channels
        S: OK
        C: idle nope
        S: ACK [2@0] {idle} Unrecognized idle event: nope
        C: getvol
        S: volume: 100
        S: OK
        C: setvol 50
        S: OK
        C: getvol
        S: volume: 50
        S: OK
        C: volume 20
        S: OK
        C: getvol
        S: volume: 70
        S: OK
        C: volume 90
        S: OK
        C: getvol
        S: volume: 100
        S: OK
        C: volume -200
        S: ACK [2@0] {volume} Number too large: -200
        C: setvol 101
        S: ACK [2@0] {setvol} Number too large: 101
        C: setvol x
        S: ACK [2@0] {setvol} Integer expected: x
        C: setvol -1
        S: ACK [2@0] {setvol} Number too large: -1
        C: replay_gain_status
        S: replay_gain_mode: off
        S: OK
        C: replay_gain_mode track
        S: OK
        C: replay_gain_status
        S: replay_gain_mode: track
        S: OK
        C: replay_gain_mode nope
        S: ACK [2@0] {replay_gain_mode} Unrecognized replay gain mode
        """#)
}
