import GRDB
import GRDBSQLite

/// Collects the texts of the statements that run on a connection. SQLite has one trace per connection, so this trace replaces any other.
final class StatementTrace {
    private(set) var texts: Set<String> = []
    private var isPaused = false

    func recording<Value>(on database: Database, _ body: () throws -> Value) rethrows -> Value {
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

    func pausing<Value>(_ body: () throws -> Value) rethrows -> Value {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        return try body()
    }

    private func note(_ statement: UnsafeMutableRawPointer) {
        // The text is read from the statement. SQLite also passes a text to the callback, but if the statement belongs to a trigger, the
        // passed text is only a comment.
        guard !isPaused, let text = sqlite3_sql(OpaquePointer(statement)) else { return }
        texts.insert(String(cString: text))
    }
}
