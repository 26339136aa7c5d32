import HTTPServer
import ScreenService

/// What an answer says to caches: who may keep it, and to which other requests it is an answer, too (RFC 9111).
struct CacheTerms: Hashable, Sendable {
    /// The value of `Cache-Control`.
    let control: String
    /// The fields that say what a client takes or wishes, as far as they had a part in the answer.
    var wishes = negotiated
    /// Those by which layers have decided.
    let decisiveFields: [String]

    private static let negotiated = ["Accept", "Accept-Language"]

    /// An answer to this one request.
    static func unkept(_ decisiveFields: [String]) -> CacheTerms {
        CacheTerms(control: "no-store", decisiveFields: decisiveFields)
    }

    /// What can be kept, by the client alone or by anyone, to ask each time whether it is still so.
    static func revalidated(isShared: Bool, _ decisiveFields: [String]) -> CacheTerms {
        CacheTerms(control: isShared ? "no-cache" : "private, no-cache", decisiveFields: decisiveFields)
    }

    /// The fields of an answer in a language.
    func headers(in locale: ScreenLocale) -> Headers {
        var headers: Headers = ["Content-Language": locale.language, "Cache-Control": control]
        let fields = wishes + decisiveFields
        if !fields.isEmpty { headers.append("Vary", fields.joined(separator: ", ")) }
        return headers
    }
}

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

    /// The kind of a request.
    enum Question {
        case snapshot
        case changes
    }

    /// The terms of an answer that caches may give to any client.
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

    /// Returns a Boolean value that indicates whether the answer is for this client alone, whatever it shows.
    static func isPersonal(_ request: borrowing RoutedRequest) -> Bool {
        for field in personalFields where request.headers[field] != nil { return true }
        return false
    }

    private static let personalFields = ["Authorization"]
}
