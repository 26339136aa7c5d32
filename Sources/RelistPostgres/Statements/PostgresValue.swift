import Foundation
import ScreenService

/// The value of a column in a row.
struct PostgresColumn {
    /// The object identifier of the type, such as 20 for `bigint` (PostgreSQL 15, catalog `pg_type`).
    let type: UInt32
    /// The binary form of the value. The memory is valid until the `PostgresResult` that contains the row is deinitialized.
    let bytes: UnsafeRawBufferPointer

    /// The value as a scalar; `nil` if `RecordScalar` has no case for the type.
    var scalar: RecordScalar? {
        switch (type, bytes.count) {
        case (16, 1): .bool(bytes[0] != 0)
        case (21, 2): .integer(Int64(integer(as: Int16.self)))
        case (23, 4): .integer(Int64(integer(as: Int32.self)))
        case (20, 8): .integer(integer(as: Int64.self))
        case (700, 4): .number(Double(Float(bitPattern: integer(as: UInt32.self))))
        case (701, 8): .number(Double(bitPattern: integer(as: UInt64.self)))
        case (17, _): .bytes([UInt8](bytes))
        case (2950, 16): .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case (1082, 4): Self.epochDay.advanced(by: Int(integer(as: Int32.self))).map { .text($0.description) }
        // Both numbers are in microseconds, and their sum is exact. So the time is rounded only once, by the division.
        case (1184, 8): .timestamp(Date(timeIntervalSince1970: (Self.epochTime + Double(integer(as: Int64.self))) / 1_000_000))
        // These are the types text, varchar, char, name and json, and literals of an unknown type.
        case (25, _), (1043, _), (1042, _), (19, _), (114, _), (705, _): .text(String(decoding: bytes, as: UTF8.self))
        // This is the type jsonb. The first byte is the version of its format.
        case (3802, 1...): .text(String(decoding: bytes.dropFirst(), as: UTF8.self))
        default: isTextOfCustomType ? .text(String(decoding: bytes, as: UTF8.self)) : nil
        }
    }

    /// The origin of dates and times: 1 January 2000, in microseconds since 1970.
    private static let epochTime = 946_684_800_000_000.0
    private static let epochDay = CalendarDay(year: 2000, month: 1, day: 1)!

    private func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number {
        Number(bigEndian: bytes.loadUnaligned(as: type))
    }

    /// A Boolean value that indicates whether the value has a user-defined type and may be text, such as an enumeration or `citext`. Values
    /// of other user-defined types, such as arrays, contain binary numbers.
    private var isTextOfCustomType: Bool {
        type >= 16_384 && bytes.first != 1 && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

/// An argument of a statement. The server infers the type of each parameter from the statement.
enum PostgresArgument: Hashable, Sendable {
    case null
    /// The text form of a value, which is written as in SQL but without quotes.
    case text(String)
    case bytes([UInt8])

    init(_ scalar: RecordScalar) {
        self =
            switch scalar {
            case .null: .null
            case .bool(let value): .text(value ? "t" : "f")
            case .integer(let number): .text(String(number))
            case .number(let number): .text(String(number))
            case .text(let text): .text(text)
            case .bytes(let bytes): .bytes(bytes)
            case .uuid(let uuid): .text(uuid.uuidString)
            case .timestamp(let date): .text(date.recordText + "+00")
            }
    }
}

extension RecordValue {
    var postgresArgument: PostgresArgument { PostgresArgument(scalar) }
}
