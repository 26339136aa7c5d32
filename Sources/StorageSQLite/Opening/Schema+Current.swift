extension Schema {
    /// What this version of the program uses.
    static let current = Schema(steps: [records, history, secrets, receipts, mountains, artist, wifi, versions])

    // Tables are STRICT, so that reading a column by its type cannot fail. Days are ISO 8601 text,
    // which sorts as days do.
    private static let records = Step(
        name: "records",
        sql: """
            CREATE TABLE profile (
                user TEXT NOT NULL PRIMARY KEY,
                firstName TEXT NOT NULL,
                familyName TEXT NOT NULL,
                email TEXT NOT NULL,
                hasPassword INTEGER NOT NULL,
                isConnected INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE contract (
                number TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                date TEXT NOT NULL,
                status TEXT NOT NULL,
                contractedKilograms INTEGER NOT NULL,
                firstDay TEXT NOT NULL,
                lastDay TEXT NOT NULL
            ) STRICT;

            CREATE TABLE delivery (
                id TEXT NOT NULL PRIMARY KEY,
                contract TEXT NOT NULL REFERENCES contract (number),
                day TEXT NOT NULL,
                scheduledKilograms INTEGER NOT NULL,
                weighedKilograms INTEGER
            ) STRICT;
            CREATE INDEX deliveryByDay ON delivery (contract, day, id);

            -- The highest number that a delivery's id ever began with. Ids of deleted deliveries
            -- are not given out again.
            CREATE TABLE lastDeliveryNumber (value INTEGER NOT NULL) STRICT;
            INSERT INTO lastDeliveryNumber VALUES (0);

            CREATE TABLE post (
                id INTEGER NOT NULL PRIMARY KEY,
                userID INTEGER NOT NULL,
                title TEXT NOT NULL,
                body TEXT NOT NULL
            ) STRICT;

            -- Has a row once the examples were inserted.
            CREATE TABLE examples (inserted INTEGER NOT NULL) STRICT;
            """
    )

    // With rowids: without them, rows lie in the tree of their key, which outlines of hundreds of
    // kilobytes would make slow to search.
    private static let history = Step(
        name: "history",
        sql: """
            CREATE TABLE history (
                audience BLOB NOT NULL,
                screen TEXT NOT NULL,
                version BLOB NOT NULL,
                view INTEGER NOT NULL,
                outline BLOB NOT NULL,
                recordedAt INTEGER NOT NULL,
                supersededAt INTEGER,
                PRIMARY KEY (audience, screen, version)
            ) STRICT;
            """
    )

    // What the older table has cannot prove what it is, and is forgotten: who holds such a version is sent one
    // snapshot. The index has all that is read to find what is to be forgotten.
    private static let versions = Step(
        name: "versions",
        sql: """
            DROP TABLE history;
            CREATE TABLE version (
                audience BLOB NOT NULL,
                screen TEXT NOT NULL,
                version BLOB NOT NULL,
                view INTEGER NOT NULL,
                outline BLOB NOT NULL,
                byteCount INTEGER NOT NULL,
                usedAt INTEGER NOT NULL,
                PRIMARY KEY (audience, screen, version)
            ) STRICT;
            CREATE INDEX versionByUse ON version (usedAt, byteCount, audience, view);
            """
    )

    private static let wifi = Step(
        name: "wifi",
        sql: """
            CREATE TABLE wifi (
                user TEXT NOT NULL PRIMARY KEY,
                isOn INTEGER NOT NULL,
                joinedNetwork TEXT
            ) STRICT;
            """
    )

    private static let receipts = Step(
        name: "receipts",
        sql: """
            CREATE TABLE receipt (
                user TEXT NOT NULL,
                screen TEXT NOT NULL,
                action TEXT NOT NULL,
                key TEXT NOT NULL,
                request BLOB NOT NULL,
                performedAt INTEGER NOT NULL,
                PRIMARY KEY (user, screen, action, key)
            ) STRICT;
            CREATE INDEX receiptByAge ON receipt (performedAt);
            """
    )

    private static let secrets = Step(
        name: "secrets",
        sql: """
            CREATE TABLE secret (
                byteCount INTEGER NOT NULL PRIMARY KEY,
                bytes BLOB NOT NULL
            ) STRICT;
            """
    )
}
