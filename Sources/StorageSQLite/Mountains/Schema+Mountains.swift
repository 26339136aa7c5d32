extension Schema {
    // Both names of the range are there or neither; the countries' codes stand between spaces.
    static let mountains = Step(
        name: "mountains",
        sql: """
            CREATE TABLE mountain (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                metres INTEGER NOT NULL,
                englishRange TEXT,
                frenchRange TEXT,
                countries TEXT NOT NULL
            ) STRICT;
            """
    )
}
