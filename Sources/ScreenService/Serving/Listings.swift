import Logging

/// The lists of screens, one for each language.
final class Listings: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let deadline: Deadline
    private let logger: Logger
    /// Those in which no parameter has values that are read.
    private let plain: [ScreenLocale: Document]
    private let values: [(screen: String, values: ParameterValues)]

    init(of catalog: ScreenCatalog, _ hash: ContentHash, deadline: Deadline, logger: Logger) {
        self.catalog = catalog
        self.hash = hash
        self.deadline = deadline
        self.logger = logger
        plain = Dictionary(
            uniqueKeysWithValues: catalog.locales.map { ($0, Document(ofService: catalog.document(in: $0), in: $0, hash)) }
        )
        values = catalog.served.flatMap { served in served.screen.values.map { (served.name, $0) } }
    }

    /// The list in one of the catalog's languages. Where values are read for it, it has those of now.
    func document(in locale: ScreenLocale, within earlier: Deadline?) -> Eventual<Document> {
        guard let plain = plain[locale] else { preconditionFailure("the catalog has no language \(locale.language)") }
        if values.isEmpty { return .now(plain) }
        return .later { [self] in await current(in: locale, within: earlier ?? deadline, otherwise: plain) }
    }

    /// Values that cannot be read in time are left out: a list without them is of more use than none.
    private func current(in locale: ScreenLocale, within deadline: Deadline, otherwise plain: Document) async -> Document {
        do {
            let read: [String: [String: [ParameterValue]]] = try await deadline.value(of: { [values] in
                var read: [String: [String: [ParameterValue]]] = [:]
                for (screen, one) in values { read[screen, default: [:]][one.parameter] = try await one.read(locale) }
                return read
            }, late: { _ in DeadlineFault.notComputed })
            return Document(ofService: catalog.document(in: locale, values: read), in: locale, hash)
        } catch {
            logger.error("the values of parameters could not be read", metadata: ["error": "\(error)"])
            return plain
        }
    }
}

extension Document {
    /// One that says something of the service; its version names its bytes.
    convenience init(ofService bytes: [UInt8], in locale: ScreenLocale, _ hash: ContentHash) {
        self.init(.listing, bytes: bytes, version: hash.version(of: bytes).description, locale: locale, growth: Growth())
    }
}
