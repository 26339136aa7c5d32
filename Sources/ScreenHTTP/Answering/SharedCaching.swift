import HTTPServer

/// The rule by which caches between the server and many clients may answer in its place: what a screen for everyone
/// shows, for some seconds.
///
/// What is asked for in the same words is asked for once then, however many ask. So `Vary` names no more than has to be:
/// each field in it multiplies the questions by the values that clients send.
struct SharedCaching: Sendable {
    private let control: String

    /// - Parameter seconds: for how long; nil for none.
    init?(seconds: Int) {
        guard seconds > 0 else { return nil }
        // Beside `no-cache`, `s-maxage` would mean nothing: it binds shared caches, too (RFC 9111, section 5.2.2.4). What is stale at once and
        // must be revalidated is the same for browsers alone, as `s-maxage` wins over `max-age` elsewhere (section 5.2.2.10).
        control = "public, max-age=0, must-revalidate, s-maxage=\(seconds)"
    }

    /// What is asked for.
    enum Question {
        case snapshot
        case changes
    }

    /// What is said to caches where the answer may be given to anybody.
    ///
    /// - Parameters:
    ///   - isLanguageNegotiated: whether `Accept-Language` may have had a part in it.
    ///   - decisiveFields: those by which layers have decided.
    func terms(for question: Question, isLanguageNegotiated: Bool, _ decisiveFields: [String]) -> CacheTerms {
        let wishes: [String] =
            switch (question, isLanguageNegotiated) {
            case (.snapshot, true): Self.ofSnapshot
            case (.snapshot, false): []
            case (.changes, true): Self.ofChanges
            case (.changes, false): Self.ofChangesInOneLanguage
            }
        return CacheTerms(control: control, wishes: wishes, decisiveFields: decisiveFields)
    }

    // No `Accept`: there is nothing but JSON, and who would get a 406 may as well get that (RFC 9110, section 12.5.5).
    private static let ofSnapshot = ["Accept-Language"]
    // At the same place changes are streamed, and waited for.
    private static let ofChangesInOneLanguage = ["Accept", "Prefer"]
    private static let ofChanges = ofChangesInOneLanguage + ofSnapshot

    /// Whether the answer to a request is for the one who asks alone, whatever it shows.
    static func isPersonal(_ request: borrowing RoutedRequest) -> Bool {
        for field in personalFields where request.headers[field] != nil { return true }
        return false
    }

    private static let personalFields = ["Authorization"]
}
