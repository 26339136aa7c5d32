import Foundation
import GRDB

/// Binds a string as the text that it is, or as a blob where text would be cut short.
///
/// GRDB hands strings to SQLite as C strings, which end at U+0000: the user `a\0b` would read the
/// profile of `a`. As a blob it equals no text, so that reads find nothing, and our `STRICT`
/// tables refuse to store it.
struct Text: DatabaseValueConvertible {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    var databaseValue: DatabaseValue {
        string.utf8.contains(0) ? Data(string.utf8).databaseValue : string.databaseValue
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Text? {
        String.fromDatabaseValue(value).map(Text.init)
    }
}
