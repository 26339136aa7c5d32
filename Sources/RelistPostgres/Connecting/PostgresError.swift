/// Why PostgreSQL has not done what it was asked to.
public enum PostgresError: Error, Hashable, Sendable {
    /// Nobody answers, or the connection is broken: what was not committed is undone.
    case unreachable(reason: String)
    /// Another transaction was in the way, again and again.
    case serialisation
    /// A row breaks a rule of its table.
    case constraint(Constraint, name: String)
    /// The server takes no writes: it is a standby, or about to stop being the primary.
    case readOnly
    /// It took too long and was stopped.
    case tooSlow
    /// Another session held a lock for longer than `lock_timeout` allows.
    case locked
    /// The connection broke while a commit was under way, or the commit did not wait for the standby: nobody knows whether it
    /// will last.
    case commitInDoubt
    /// The server refused a statement for another reason; the state is one of SQL's (PostgreSQL 15, appendix A).
    case refused(state: String, message: String)

    /// The rule that was broken.
    public enum Constraint: Hashable, Sendable {
        /// There is a row with that key.
        case unique
        /// There is no row that a foreign key names, or there is one that names this.
        case foreignKey
        case check, notNull
        /// Any other, such as one of exclusion.
        case exclusion
    }

    /// - Parameters:
    ///   - state: an SQLSTATE of five characters; nil where the connection broke.
    ///   - isFatal: whether the connection ends with it.
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
            // 23001 is that of RESTRICT in PostgreSQL 18.
            case "23503", "23001": .constraint(.foreignKey, name: constraint)
            case "23514": .constraint(.check, name: constraint)
            case "23502": .constraint(.notNull, name: constraint)
            case _ where state.hasPrefix("23"): .constraint(.exclusion, name: constraint)
            // A statement with too few arguments, which is the fault of who asks.
            case "08P01" where !isFatal: .refused(state: state, message: message)
            // It is being started, stopped, or has no connection left; operators end backends with 57P01 and 57P05.
            case _ where state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300" || state == "25P03":
                .unreachable(reason: message)
            default: .refused(state: state, message: message)
            }
    }

    /// A Boolean value that indicates whether a row or a page is damaged, or the server has another fault of its own (SQLSTATE class XX).
    var isOfDamage: Bool {
        if case .refused(let state, _) = self { state.hasPrefix("XX") } else { false }
    }

    /// Whether a transaction that has failed with it runs again, on the same connection or on another one.
    var isTriedAgain: Bool {
        switch self {
        case .unreachable, .readOnly: true
        default: isPassing
        }
    }

    /// Whether the same transaction may succeed at once when it is run again.
    var isPassing: Bool {
        switch self {
        case .serialisation: true
        // A plan was made for tables that another replica has changed since.
        case .refused("0A000", _), .refused("26000", _): true
        default: false
        }
    }
}

/// What is wrong with how a store was used.
public enum PostgresStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has been closed.
    case closed
    /// A transaction that reads was asked to write.
    case writeInRead

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        case .writeInRead: "A transaction that reads was asked to write: that is for write(_:)."
        }
    }
}
