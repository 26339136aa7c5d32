import Foundation
import GRDB
import ScreenService

extension SQLiteServiceStore {
    static let secretTable = SQLiteMigration("secrets", secretTable(named: "secret"))

    static func secretTable(named name: String) -> String {
        """
        CREATE TABLE \(name) (
            byteCount INTEGER NOT NULL PRIMARY KEY,
            bytes BLOB NOT NULL
        ) STRICT;
        """
    }

    /// Returns the secret of the given length, which the first call generates. Secrets of different lengths are independent.
    ///
    /// - Throws: `DataUnavailable` if the schema is damaged, and errors of SQLite.
    public func secret(byteCount: Int) async throws -> [UInt8] {
        do {
            return try await storedSecret(byteCount: byteCount)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // The statements are correct for the tables that the migrations have made.
            throw DataUnavailable(reason: "the schema of the database is damaged")
        }
    }

    private func storedSecret(byteCount: Int) async throws -> [UInt8] {
        try await database.write { database, _ in
            let stored = try Row.fetchOne(
                database, sql: "SELECT bytes FROM grdb_relist_secret WHERE byteCount = ?", arguments: [byteCount])
            if let stored { return [UInt8](try stored.value(0) as Data) }
            // The random generator of the system is cryptographically secure. On Linux, it is `getrandom`.
            var generator = SystemRandomNumberGenerator()
            let secret = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try database.execute(sql: "INSERT INTO grdb_relist_secret VALUES (?, ?)", arguments: [byteCount, Data(secret)])
            return secret
        }
    }
}
