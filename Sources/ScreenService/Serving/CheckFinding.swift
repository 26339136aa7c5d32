/// A result of a check before a deployment.
public struct CheckFinding: Hashable, Sendable {
    public enum Severity: String, Sendable {
        case ok
        /// The server can start, but an operator should know about the finding.
        case warning
        /// The server cannot start, or it would break a promise, such as losing acknowledged actions.
        case error
    }

    public let severity: Severity
    /// The part that was checked, such as `disk space`.
    public let subject: String
    /// The condition of the part. After a warning or an error, the text also says what to do.
    public let text: String

    public init(_ severity: Severity, _ subject: String, _ text: String) {
        (self.severity, self.subject, self.text) = (severity, subject, text)
    }

    public static func ok(_ subject: String, _ text: String) -> Self { Self(.ok, subject, text) }
    public static func warning(_ subject: String, _ text: String) -> Self { Self(.warning, subject, text) }
    public static func error(_ subject: String, _ text: String) -> Self { Self(.error, subject, text) }

    /// The finding as one line without passwords, such as `warning  disk space: 700 MB are free. Free some.`.
    public var line: String {
        let severity = severity.rawValue + String(repeating: " ", count: 7 - severity.rawValue.utf8.count)
        let text = text.withoutPasswords.unicodeScalars.map { scalar in
            // A name in the text must not break the line or control the terminal.
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        return "\(severity)  \(subject): \(text.joined())"
    }
}

/// The result of a check of a database that was not opened.
public struct StoreCheck<Store: ServiceStoring>: Sendable {
    public let findings: [CheckFinding]
    /// A store with which the screens of the server can be made. It changes nothing in the database. The value is `nil` if there is no such
    /// store, for example because the database cannot be reached.
    public let store: Store?

    public init(findings: [CheckFinding], store: Store? = nil) {
        (self.findings, self.store) = (findings, store)
    }
}

extension String {
    /// The text without the users and passwords of a URL, and without the passwords of a connection string.
    package var withoutPasswords: String {
        replacing(#/:.*@/#.dotMatchesNewlines(), with: ":…@")
            .replacing(#/password\s*=\s*(?:'(?:[^'\\]|\\.)*'|[^&\s]*)/#.ignoresCase(), with: "password=…")
    }
}
