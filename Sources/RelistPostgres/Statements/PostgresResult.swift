import CPostgres
import ScreenService

/// The result of one statement.
final class PostgresResult {
    private let result: OpaquePointer

    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    var status: ExecStatusType { PQresultStatus(result) }
    /// The command tag, such as `COMMIT` or `UPDATE 3`.
    var command: String { String(cString: PQcmdStatus(result)) }
    /// The number of rows that the statement inserted, updated or deleted.
    var changedCount: Int { command.hasPrefix("SELECT") ? 0 : Int(String(cString: PQcmdTuples(result))) ?? 0 }
    var rowCount: Int { Int(PQntuples(result)) }

    func row(_ index: Int) -> PostgresRow { PostgresRow(result: self, index: Int32(index)) }

    var error: PostgresError {
        PostgresError(
            state: field(relist_pg_sqlstate), message: field(relist_pg_message) ?? Self.firstLine(PQresultErrorMessage(result)),
            constraint: field(relist_pg_constraint) ?? "", isFatal: isFatal
        )
    }

    /// A Boolean value that indicates whether PostgreSQL itself has reported the error. If the connection is broken, libpq or a connection
    /// pooler reports the error. Such an error has no SQLSTATE, or it is fatal and its SQLSTATE has class 08.
    var isOfServer: Bool { field(relist_pg_sqlstate).map { !(isFatal && $0.hasPrefix("08")) } ?? false }

    /// A Boolean value that indicates whether the error ends the connection.
    var isFatal: Bool { ["FATAL", "PANIC"].contains(field(relist_pg_severity)) || field(relist_pg_sqlstate) == nil }

    private func field(_ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }

    static func firstLine(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0).split(separator: "\n").first.map(String.init) ?? "" } ?? ""
    }

    fileprivate func column(_ row: Int32, _ column: Int32) -> PostgresColumn? {
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        let bytes = UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return PostgresColumn(type: PQftype(result, column), bytes: bytes)
    }

    fileprivate var columnCount: Int { Int(PQnfields(result)) }
}

/// A row of a result.
struct PostgresRow: RecordRow {
    fileprivate let result: PostgresResult
    fileprivate let index: Int32

    func scalar(at column: Int) throws(RecordValueError) -> RecordScalar {
        guard (0..<result.columnCount).contains(column) else { throw .wrongType(column: column) }
        guard let stored = result.column(index, Int32(column)) else { return .null }
        guard let scalar = stored.scalar else { throw .wrongType(column: column) }
        return scalar
    }
}
