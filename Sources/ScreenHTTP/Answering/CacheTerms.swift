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
