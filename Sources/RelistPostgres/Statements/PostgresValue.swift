/// A value that can be bound to a place of a statement, and read from a column.
///
/// `String`, `Int`, `Int64`, `Bool`, `Double`, `[UInt8]` for `bytea`, and optionals of them. An enumeration is read as `String`, too; a
/// column of another type is cast in the statement, as `::text`. The server finds out from the statement what type a place has.
public protocol PostgresValue: Sendable {
    /// What is bound.
    var postgresArgument: PostgresArgument { get }

    /// - Parameter column: nil for null.
    /// - Returns: nil where it is no such value.
    init?(postgres column: PostgresColumn?)
}

/// What a row has in a column.
public struct PostgresColumn {
    /// The type's object identifier: 20 for `bigint` (PostgreSQL 15, catalog `pg_type`).
    public let type: UInt32
    /// As the protocol sends it in binary form. It is there as long as the row is.
    public let bytes: UnsafeRawBufferPointer

    /// Whether it is of a type of the database's own and may be text, as enumerations and `citext` are. Others, such as arrays of
    /// them, have numbers in it.
    fileprivate var isTextOfItsOwnType: Bool {
        type >= 16_384 && bytes.first != 1 && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// The bytes of a column of one of these types; nil of any other.
    fileprivate func bytes(of types: UInt32...) -> UnsafeRawBufferPointer? {
        types.contains(type) ? bytes : nil
    }
}

/// What is bound to a place of a statement.
public enum PostgresArgument: Hashable, Sendable {
    case null
    /// As SQL would write it, without quotes.
    case text(String)
    case bytes([UInt8])
}

extension String: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(self) }

    public init?(postgres column: PostgresColumn?) {
        // text, varchar, char, name, json, and what a statement gives in quotes.
        guard let column, [25, 1043, 1042, 19, 114, 705].contains(column.type) || column.isTextOfItsOwnType else { return nil }
        self.init(decoding: column.bytes, as: UTF8.self)
    }
}

extension Int64: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres column: PostgresColumn?) {
        guard let bytes = column?.bytes(of: 20, 21, 23) else { return nil }
        switch bytes.count {
        case 2: self.init(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: self.init(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: self.init(bigEndian: bytes.loadUnaligned(as: Int64.self))
        default: return nil
        }
    }
}

extension Int: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres column: PostgresColumn?) {
        guard let number = Int64(postgres: column) else { return nil }
        self.init(number)
    }
}

extension Bool: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(self ? "t" : "f") }

    public init?(postgres column: PostgresColumn?) {
        guard let bytes = column?.bytes(of: 16), bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension Double: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres column: PostgresColumn?) {
        guard let bytes = column?.bytes(of: 700, 701) else { return nil }
        switch bytes.count {
        case 4: self.init(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        case 8: self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        default: return nil
        }
    }
}

extension [UInt8]: PostgresValue {
    public var postgresArgument: PostgresArgument { .bytes(self) }

    public init?(postgres column: PostgresColumn?) {
        guard let bytes = column?.bytes(of: 17) else { return nil }
        self.init(bytes)
    }
}

extension Optional: PostgresValue where Wrapped: PostgresValue {
    public var postgresArgument: PostgresArgument { self?.postgresArgument ?? .null }

    public init?(postgres column: PostgresColumn?) {
        guard let column else {
            self = Wrapped?.none
            return
        }
        guard let value = Wrapped(postgres: column) else { return nil }
        self = Wrapped?.some(value)
    }
}
