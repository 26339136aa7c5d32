import Logging
import Synchronization

/// The lists of screens, one for each language, each made when it is asked for and kept until something changes that was read
/// for it.
final class Listings: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let deadline: Deadline
    private let logger: Logger
    private let stragglers = Stragglers()
    private let kept = Mutex<[ScreenLocale: Kept]>([:])

    private struct Kept {
        let document: Document
        let reads: Set<Topic>
    }

    /// What is read of a screen, and what it was read from.
    private typealias Found = (values: [String: [ParameterValue]], reads: Set<Topic>)

    init(of catalog: ScreenCatalog, _ hash: ContentHash, topics: Topics, deadline: Deadline, logger: Logger) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.deadline = deadline
        self.logger = logger
    }

    /// The list in one of the catalog's languages, with the values that parameters have now. Those that cannot be read in time
    /// are left out, as a list without them is of more use than none, and such a list is not kept.
    func document(in locale: ScreenLocale, within earlier: Deadline?) -> Eventual<Document> {
        if let kept = kept.withLock({ $0[locale] }) { return .now(kept.document) }
        return .later { [self] in await make(in: locale, within: earlier ?? deadline) }
    }

    /// Lets go of what has read any of `topics`.
    func outdate(reading announced: Set<Topic>) {
        kept.withLock { kept in kept = kept.filter { $0.value.reads.isDisjoint(with: announced) } }
    }

    private func make(in locale: ScreenLocale, within deadline: Deadline) async -> Document {
        let generation = topics.beginComputation()
        defer { topics.endComputation(begunIn: generation) }
        var (values, reads, isWhole): ([String: [String: [ParameterValue]]], Set<Topic>, Bool) = ([:], [], true)
        for (name, found) in await found(in: locale, within: deadline) {
            switch found {
            case .success(let found):
                values[name] = found.values
                reads.formUnion(found.reads)
            case .failure(let error):
                isWhole = false
                logger.error("the values of a screen's parameters could not be read", metadata: ["screen": "\(name)", "error": "\(error)"])
            }
        }
        let document = Document(ofService: catalog.document(in: locale, values: values), in: locale, hash)
        if isWhole {
            topics.ifUnchanged(reads, since: generation) {
                kept.withLock { $0[locale] = Kept(document: document, reads: reads) }
            }
        }
        return document
    }

    /// All screens at once, so that one that hangs takes no time of others.
    private func found(in locale: ScreenLocale, within deadline: Deadline) async -> [(String, Result<Found, any Error>)] {
        await withTaskGroup { group in
            for served in catalog.served where !served.screen.values.isEmpty {
                group.addTask { [self] in
                    (served.name, await Result { try await found(of: served, in: locale, within: deadline) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func found(of served: ServedScreen, in locale: ScreenLocale, within deadline: Deadline) async throws -> Found {
        try stragglers.admit(served.name)
        return try await deadline.value { [topics] in
            let (values, reads) = try await topics.recordingReads {
                var values: [String: [ParameterValue]] = [:]
                for one in served.screen.values { values[one.parameter] = try await one.read(locale) }
                return values
            }
            return (values, reads)
        } late: { [stragglers] task in
            stragglers.add(task, of: served.name)
            return DeadlineFault.notComputed
        }
    }
}

extension Document {
    /// One that says something of the service; its version names its bytes.
    convenience init(ofService bytes: [UInt8], in locale: ScreenLocale, _ hash: ContentHash) {
        self.init(.listing, bytes: bytes, version: hash.version(of: bytes).description, locale: locale, growth: Growth())
    }
}
