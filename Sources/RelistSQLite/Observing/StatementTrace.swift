import GRDB
import GRDBSQLite

/// A trace of the statements that run on a connection for a while.
///
/// It takes the place of another one: SQLite has one for a connection.
final class StatementTrace {
    /// Each once.
    private(set) var texts: Set<String> = []
    private var isPaused = false

    /// Runs `body`, whose statements on the connection are noted.
    func noting<Value>(on database: Database, _ body: () throws -> Value) rethrows -> Value {
        let note: @convention(c) (CUnsignedInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt = {
            _, trace, statement, _ in
            if let trace, let statement { Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue().note(statement) }
            return 0
        }
        sqlite3_trace_v2(database.sqliteConnection, CUnsignedInt(SQLITE_TRACE_STMT), note, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_trace_v2(database.sqliteConnection, 0, nil, nil)
            withExtendedLifetime(self) {}
        }
        return try body()
    }

    /// Runs `body`, whose statements are somebody else's to tell of.
    func pausing<Value>(_ body: () throws -> Value) rethrows -> Value {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        return try body()
    }

    private func note(_ statement: UnsafeMutableRawPointer) {
        // Not the text that comes with it, which is a comment where the statement runs within another one.
        guard !isPaused, let text = sqlite3_sql(OpaquePointer(statement)) else { return }
        texts.insert(String(cString: text))
    }
}
