extension Schema {
    static let artist = Step(
        name: "artist",
        sql: """
            CREATE TABLE artist (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                englishGenre TEXT NOT NULL,
                frenchGenre TEXT NOT NULL,
                englishBiography TEXT NOT NULL,
                frenchBiography TEXT NOT NULL
            ) STRICT;

            CREATE TABLE album (
                id TEXT NOT NULL PRIMARY KEY,
                artist TEXT NOT NULL REFERENCES artist (id),
                title TEXT NOT NULL,
                year INTEGER NOT NULL,
                isNew INTEGER NOT NULL,
                isExplicit INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX albumByYear ON album (artist, year, id);

            CREATE TABLE track (
                album TEXT NOT NULL REFERENCES album (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                title TEXT NOT NULL,
                seconds INTEGER NOT NULL,
                plays INTEGER NOT NULL,
                PRIMARY KEY (album, number)
            ) STRICT;
            """
    )
}
