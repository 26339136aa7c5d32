import ScreenService

/// The topics of tables, for what is read and written without naming one.
///
/// Who reads columns of a table depends on those columns, and on which rows there are.
enum TableTopics {
    /// Which rows there are.
    static func rows(of table: String) -> Topic {
        Topic("sql/\(table.lowercased())")
    }

    static func column(_ column: String, of table: String) -> Topic {
        Topic("sql/\(table.lowercased())/\(column.lowercased())")
    }

    /// All that there is: who reads anything depends on it.
    static let everything = Topic("sql")
}
