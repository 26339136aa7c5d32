import ScreenService

/// The rights that the user of a connection has and lacks. Rights are written as in `GRANT`, such as `USAGE ON SCHEMA relist`.
struct Rights {
    /// A Boolean value that indicates whether the database has the table of the migrations that have run.
    let hasMigrations: Bool
    let mayCreateSchemas: Bool
    /// The missing rights on schemas and tables that a server needs at any time.
    let missing: [String]
    /// The missing rights that a server needs to record a migration.
    let missingForRecords: [String]
    /// The missing rights that a server needs to run a migration of the service.
    let missingForMigrations: [String]

    var mayReadMigrations: Bool { !missing.contains("USAGE ON SCHEMA relist") && !missing.contains("SELECT ON relist.migration") }

    /// Reads the rights from the catalog, because functions with names, such as `to_regclass`, need rights themselves.
    init(_ connection: PostgresConnection, ofStores schema: String?, until deadline: PostgresConnection.Instant) throws {
        let arguments = [PostgresArgument.text(schema ?? "relist")]
        let results = try connection.run(
            [Statement(Self.ofDatabase), Statement(Self.ofSchemas, arguments), Statement(Self.ofTables)], until: deadline
        )
        let database = results[0].row(0)
        (hasMigrations, mayCreateSchemas) = (try database[0], try database[1])
        func names(_ result: PostgresResult, when kind: String) throws -> [String] {
            try (0..<result.rowCount).map { result.row($0) }.filter { try $0[1] == kind }.map { try $0[0] }
        }
        missing = try names(results[1], when: "use") + names(results[2], when: "use")
        missingForRecords = try names(results[2], when: "record")
        missingForMigrations = try names(results[1], when: "migrate") + missingForRecords
    }

    private static let ofDatabase = """
        SELECT EXISTS (
            SELECT FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace WHERE nspname = 'relist' AND relname = 'migration'
        ), has_database_privilege(current_database(), 'CREATE')
        """

    private static let ofSchemas = """
        SELECT privilege || ' ON SCHEMA ' || quote_ident(nspname), CASE privilege WHEN 'USAGE' THEN 'use' ELSE 'migrate' END
        FROM pg_namespace CROSS JOIN (VALUES ('USAGE'), ('CREATE')) AS privileges (privilege)
        WHERE (nspname = 'relist' OR nspname = $1 AND privilege = 'USAGE') AND NOT has_schema_privilege(pg_namespace.oid, privilege)
        ORDER BY 1
        """

    private static let ofTables = """
        SELECT privilege || ' ON relist.' || quote_ident(relname),
            CASE WHEN privilege = 'INSERT' AND relname = 'migration' THEN 'record' ELSE 'use' END
        FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace
        CROSS JOIN unnest(CASE
            WHEN relkind = 'S' THEN ARRAY['USAGE']
            WHEN relname = 'migration' THEN ARRAY['SELECT', 'INSERT']
            ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        END) AS privilege
        WHERE nspname = 'relist' AND (relkind = 'r' OR relkind = 'S' AND relname = 'position')
            AND NOT CASE relkind
                WHEN 'S' THEN has_sequence_privilege(pg_class.oid, privilege) ELSE has_table_privilege(pg_class.oid, privilege)
            END
        ORDER BY 1
        """
}
