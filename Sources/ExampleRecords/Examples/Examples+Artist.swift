extension Examples {
    /// A singer who does not exist, with albums and tracks that do not either.
    public static let artist = Artist(
        id: "elin-fauvel",
        name: "Elin Fauvel",
        genre: TranslatedText(english: "Chamber folk", french: "Folk de chambre"),
        biography: TranslatedText(
            english: """
                Elin Fauvel grew up in a lock-keeper's house on a canal, where barges brought the news and the \
                records. She learnt the accordion from a boatman and the viola from a teacher who came by train \
                every second Thursday. Her songs are about water, timetables and people who wait for one of the two.
                """,
            french: """
                Elin Fauvel a grandi dans une maison éclusière, où les péniches apportaient les nouvelles et les \
                disques. Un marinier lui a appris l’accordéon, et une professeure qui venait par le train un jeudi \
                sur deux, l’alto. Ses chansons parlent de l’eau, des horaires et de ceux qui attendent l’une ou les autres.
                """
        )
    )

    /// The albums of ``artist``.
    public static let albums = discography.map(\.album)

    /// The tracks of ``albums``.
    public static let tracks = discography.flatMap(\.tracks)

    // A paragraph is the line of an album, with id, year, marks and title, and a line for each of its
    // tracks: length, plays, title. The mark `–` is none.
    private static let discography: [(album: Album, tracks: [Track])] = recordings
        .split(separator: "\n", omittingEmptySubsequences: false)
        .split(separator: "")
        .map { lines in
            let album = album(String(lines.first!))
            let tracks = lines.dropFirst().enumerated().map { track($1, number: $0 + 1, on: album) }
            return (album, tracks)
        }

    private static func album(_ line: String) -> Album {
        let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
        let marks = parts[2].split(separator: ",")
        return Album(
            id: parts[0], artist: artist.id, title: parts[3], year: Int(parts[1])!,
            isNew: marks.contains("new"), isExplicit: marks.contains("explicit")
        )
    }

    private static func track(_ line: Substring, number: Int, on album: Album) -> Track {
        let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
        let times = parts[0].split(separator: ":").map { Int($0)! }
        return Track(
            album: album.id, number: number, title: parts[2], seconds: times[0] * 60 + times[1], plays: Int(parts[1])!
        )
    }

    private static let recordings = """
        high-water 2008 – High Water
        3:42 1204310 First Lock
        4:05 310822 The Keeper's Daughter
        2:58 287410 Slow Barge
        5:11 198334 High Water
        3:20 154209 Rope and Bollard

        every-second-thursday 2010 – Every Second Thursday
        3:03 842117 Platform Two
        4:27 290553 The Viola Teacher
        3:36 912740 Every Second Thursday
        2:41 133870 Rosin
        6:02 120466 The Return Ticket
        3:15 118902 Late, but Not Cancelled

        la-maison-eclusiere 2012 – La Maison éclusière
        3:50 674001 La Maison éclusière
        4:12 208455 Le Marinier
        3:08 571298 Un accordéon sous la pluie
        2:55 99310 Vannes ouvertes

        salt-and-brackish 2014 explicit Salt and Brackish
        3:33 455120 Where the River Stops
        4:44 189027 Damn This Tide
        3:01 143365 Estuary Blues
        5:29 90718 Brackish
        2:37 88241 A Mouthful of Salt

        timetables 2016 – Timetables
        3:12 1530027 The 7:14
        3:59 402118 Connection Lost
        2:46 377902 Except on Sundays
        4:31 165530 Rolling Stock
        3:27 149008 Reserved for No One
        3:05 122741 Mind the Gap in the Story
        4:50 101187 Terminus

        low-water 2018 explicit Low Water
        4:08 233096 Mud
        3:44 201750 What the Canal Gave Back
        2:52 160224 Bloody Dredger
        5:35 94471 Low Water

        songs-for-one-room 2020 – Songs for One Room
        2:20 1011934 Window Facing North
        3:17 466203 Two Chairs
        2:49 288015 The Neighbour's Piano
        3:38 174526 Curtain Call for Nobody
        4:01 131092 One Room

        drift-ice 2023 – Drift Ice
        3:55 702245 Isbrytare
        4:22 311790 Drift Ice
        3:09 240013 Snow on the Towpath
        3:47 195468 Thaw
        6:40 87350 The Long Night of the Lamp
        2:33 84116 Candlemas

        the-lamp-at-lock-nine 2026 new The Lamp at Lock Nine
        3:29 388214 The Lamp at Lock Nine
        4:16 142087 Seven Ships a Day
        3:02 127356 Half a Moon, Half a Metre
        5:06 96604 Nobody's Cargo
        3:51 92933 Nine

        unquiet-waters 2026 new,explicit Unquiet Waters
        2:44 205118 Shut the Bloody Gate
        3:37 97022 Undertow
        4:19 81640 Spite, with Strings
        3:24 78855 Weir
        """
}
