public import Foundation

/// A type whose values can be arguments of statements and can be read from columns.
///
/// | value | SQLite | PostgreSQL |
/// |---|---|---|
/// | `String`, also for JSON | text | `text`, `varchar`, `json`, `jsonb`, enumerations |
/// | `Int`, `Int64` | integer | `bigint`, `integer`, `smallint` |
/// | `Double` | real | `double precision`, `real` |
/// | `Bool` | 0 or 1 | `boolean` |
/// | `[UInt8]` | blob | `bytea` |
/// | `UUID` | blob, as in GRDB; text can also be read | `uuid` |
/// | ``CalendarDay`` | text, `2018-07-12` | `date`, or text |
/// | `Date` | text in UTC, as in GRDB: `2018-07-12 08:30:00.000` | `timestamptz` |
///
/// A `Date` is stored with a precision of milliseconds. `nil` is stored as null. If a column has another type, cast the column in the
/// statement.
public protocol RecordValue: Sendable {
    /// The value in the form that the engines store.
    var scalar: RecordScalar { get }

    /// Creates the value from its stored form, or returns `nil` if the stored form has another type.
    init?(scalar: RecordScalar)
}

/// A value in the form that the engines store.
public enum RecordScalar: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
    case timestamp(Date)
}

/// A row that a statement has found. It is valid until the next row is read.
public protocol RecordRow {
    /// Returns the stored value of a column. Columns are numbered from 0. Throws ``RecordValueError/wrongType(column:)``.
    func scalar(at column: Int) throws(RecordValueError) -> RecordScalar
}

extension RecordRow {
    /// The value of a column. Columns are numbered from 0. Throws ``RecordValueError/wrongType(column:)``.
    public subscript<Value: RecordValue>(column: Int) -> Value {
        get throws(RecordValueError) {
            guard let value = Value(scalar: try scalar(at: column)) else { throw .wrongType(column: column) }
            return value
        }
    }
}

/// A value that cannot be stored or read.
public enum RecordValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A text cannot be stored because it contains U+0000, which PostgreSQL does not support in text.
    case zeroCharacter
    /// A column was read as a type that it does not have. Columns are numbered from 0.
    case wrongType(column: Int)
    /// A row has an invalid value. The associated text is a sentence that describes the value. The stores log this sentence and throw
    /// `DataUnavailable`.
    case unreadable(String)

    public var description: String {
        switch self {
        case .zeroCharacter: "A text with the character U+0000 cannot be stored."
        case .wrongType(let column): "Column \(column) was read as a type that it does not have."
        case .unreadable(let sentence): sentence
        }
    }
}

// MARK: - Types

extension String: RecordValue {
    public var scalar: RecordScalar { .text(self) }

    public init?(scalar: RecordScalar) {
        guard case .text(let text) = scalar else { return nil }
        self = text
    }
}

extension Int64: RecordValue {
    public var scalar: RecordScalar { .integer(self) }

    public init?(scalar: RecordScalar) {
        guard case .integer(let number) = scalar else { return nil }
        self = number
    }
}

extension Int: RecordValue {
    public var scalar: RecordScalar { .integer(Int64(self)) }

    public init?(scalar: RecordScalar) {
        guard case .integer(let number) = scalar else { return nil }
        self.init(number)
    }
}

extension Double: RecordValue {
    public var scalar: RecordScalar { .number(self) }

    public init?(scalar: RecordScalar) {
        guard case .number(let number) = scalar else { return nil }
        self = number
    }
}

extension Bool: RecordValue {
    public var scalar: RecordScalar { .bool(self) }

    public init?(scalar: RecordScalar) {
        switch scalar {
        case .bool(let value): self = value
        case .integer(let number): self = number != 0
        default: return nil
        }
    }
}

extension [UInt8]: RecordValue {
    public var scalar: RecordScalar { .bytes(self) }

    public init?(scalar: RecordScalar) {
        guard case .bytes(let bytes) = scalar else { return nil }
        self = bytes
    }
}

extension UUID: RecordValue {
    public var scalar: RecordScalar { .uuid(self) }

    public init?(scalar: RecordScalar) {
        switch scalar {
        case .uuid(let value): self = value
        case .text(let text): self.init(uuidString: text)
        case .bytes(let bytes) where bytes.count == 16: self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        default: return nil
        }
    }
}

extension CalendarDay: RecordValue {
    public var scalar: RecordScalar { .text(description) }

    public init?(scalar: RecordScalar) {
        guard case .text(let text) = scalar else { return nil }
        self.init(text)
    }
}

extension Date: RecordValue {
    public var scalar: RecordScalar { .timestamp(self) }

    public init?(scalar: RecordScalar) {
        switch scalar {
        case .timestamp(let date): self = date
        case .text(let text):
            guard let date = try? Date(text, strategy: Self.recordStyle) else { return nil }
            self.init(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
        default: return nil
        }
    }

    private static let recordStyle = ISO8601FormatStyle(
        dateTimeSeparator: .space, includingFractionalSeconds: true, timeZone: TimeZone(secondsFromGMT: 0)!
    ).year().month().day().time(includingFractionalSeconds: true)

    /// The time in UTC with milliseconds, such as `2018-07-12 08:30:00.000`. Earlier times have alphabetically smaller texts.
    package var recordText: String {
        // Half a millisecond is added, because the style truncates instead of rounding.
        (self + 0.0005).formatted(Self.recordStyle)
    }
}

extension Optional: RecordValue where Wrapped: RecordValue {
    public var scalar: RecordScalar { self?.scalar ?? .null }

    public init?(scalar: RecordScalar) {
        if case .null = scalar {
            self = Wrapped?.none
        } else if let value = Wrapped(scalar: scalar) {
            self = Wrapped?.some(value)
        } else {
            return nil
        }
    }
}

// MARK: - Statements

/// Functions that classify SQL statements and convert their arguments. Both engines use these functions.
package enum RecordSQL {
    /// Returns the first word of a statement, in capital letters.
    package static func verb(of sql: String) -> String {
        sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
    }

    /// Returns a Boolean value that indicates whether the engines report the number of rows that a statement changed.
    package static func isCounted(_ sql: String) -> Bool {
        ["INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"].contains(verb(of: sql))
    }

    /// Returns a Boolean value that indicates whether a statement only reads.
    package static func readsOnly(_ sql: String, announcing topics: [Topic]) -> Bool {
        topics.isEmpty && verb(of: sql) == "SELECT"
    }

    /// Converts the arguments of a statement to the form that the engines store.
    ///
    /// - Parameter isComparing: `true` if the statement only compares its arguments. In this case, a text with U+0000 becomes null, which
    ///   does not equal any stored text.
    /// - Throws: ``RecordValueError/zeroCharacter`` if a text to be stored contains U+0000.
    package static func scalars(
        _ arguments: [(any RecordValue)?], in sql: String, isComparing: @autoclosure () -> Bool
    ) throws(RecordValueError) -> [RecordScalar] {
        var scalars: [RecordScalar] = []
        scalars.reserveCapacity(arguments.count)
        for argument in arguments {
            let scalar = argument?.scalar ?? .null
            guard case .text(let text) = scalar, text.utf8.contains(0) else {
                scalars.append(scalar)
                continue
            }
            guard isComparing() || verb(of: sql) == "DELETE" else { throw .zeroCharacter }
            scalars.append(.null)
        }
        return scalars
    }
}
