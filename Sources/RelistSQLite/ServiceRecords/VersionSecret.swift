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

    /// The secret that seeds versions: random when it is first asked for, the same ever after. A secret of
    /// another length is another secret.
    ///
    /// - Throws: ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite.
    public func secret(byteCount: Int) async throws -> [UInt8] {
        try await database.write { database, _ in
            let kept = try Row.fetchOne(
                database, sql: "SELECT bytes FROM grdb_relist_secret WHERE byteCount = ?", arguments: [byteCount])
            if let kept { return [UInt8](try kept.value(0) as Data) }
            let secret = Self.random(byteCount: byteCount)
            try database.execute(sql: "INSERT INTO grdb_relist_secret VALUES (?, ?)", arguments: [byteCount, Data(secret)])
            return secret
        }
    }

    /// The system's generator is cryptographically secure: on Linux, `getrandom`.
    private static func random(byteCount: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in .random(in: 0...255, using: &generator) }
    }
}
