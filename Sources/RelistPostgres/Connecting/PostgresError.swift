/// An error of PostgreSQL or of the connection to it.
public enum PostgresError: Error, Hashable, Sendable {
    /// The server does not answer, or the connection is broken. An uncommitted transaction is rolled back.
    case unreachable(reason: String)
    /// The transaction conflicted with another transaction, and retries did not help.
    case serialisation
    /// The statement violates a constraint of a table.
    case constraint(Constraint, name: String)
    /// The server rejects writes, because it is a standby or is about to become one.
    case readOnly
    /// The statement was cancelled, because it ran for too long.
    case tooSlow
    /// Another session held a lock for longer than `lock_timeout` allows.
    case locked
    /// The commit may have succeeded or failed: the connection broke during the commit, or the commit did not wait for the standby.
    case commitInDoubt
    /// The server rejected a statement for any other reason. `state` is the SQLSTATE of the error (PostgreSQL 15, appendix A).
    case refused(state: String, message: String)

    /// The kind of a violated constraint.
    public enum Constraint: Hashable, Sendable {
        /// Another row has the same key.
        case unique
        /// A foreign key refers to a row that does not exist, or a row cannot be deleted because another row still refers to it.
        case foreignKey
        case check, notNull
        /// An exclusion constraint, or a constraint of any other kind.
        case exclusion
    }

    /// Creates the error for a message of the server or of libpq. `state` is an SQLSTATE, or `nil` if the connection broke. `isFatal` is
    /// true if the error ends the connection.
    init(state: String?, message: String, constraint: String, isFatal: Bool = false) {
        guard let state else {
            self = .unreachable(reason: message)
            return
        }
        self =
            switch state {
            case "40001", "40P01": .serialisation
            case "25006": .readOnly
            case "57014": .tooSlow
            case "55P03": .locked
            case "23505": .constraint(.unique, name: constraint)
            // PostgreSQL 18 reports 23001 if a foreign key with RESTRICT is violated.
            case "23503", "23001": .constraint(.foreignKey, name: constraint)
            case "23514": .constraint(.check, name: constraint)
            case "23502": .constraint(.notNull, name: constraint)
            case _ where state.hasPrefix("23"): .constraint(.exclusion, name: constraint)
            // The statement has too few arguments.
            case "08P01" where !isFatal: .refused(state: state, message: message)
            // The server is starting or stopping, it has no free connection, or an operator ended the session (57P01, 57P05).
            case _ where state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300" || state == "25P03":
                .unreachable(reason: message)
            default: .refused(state: state, message: message)
            }
    }

    /// A Boolean value that indicates whether the error is an internal error of the server (SQLSTATE class XX), such as a damaged row or
    /// page.
    var isOfDamage: Bool {
        if case .refused(let state, _) = self { state.hasPrefix("XX") } else { false }
    }

    /// A Boolean value that indicates whether a transaction that failed with this error runs again, possibly on a new connection.
    var isRetried: Bool {
        switch self {
        case .unreachable, .readOnly: true
        default: isTransient
        }
    }

    /// A Boolean value that indicates whether the transaction may succeed if it runs again on the same connection.
    var isTransient: Bool {
        switch self {
        case .serialisation: true
        // Another replica has changed the tables after the statement was planned.
        case .refused("0A000", _), .refused("26000", _): true
        default: false
        }
    }
}

/// An error in the use of a store.
public enum PostgresStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has been closed.
    case closed
    /// A read transaction ran a statement that writes.
    case writeInRead

    /// A sentence in English for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        case .writeInRead: "A read transaction ran a statement that writes. Use write(_:)."
        }
    }
}
