import Logging
import Synchronization

/// The lists of screens, each made when it is asked for and kept until something changes that was read for it, or others are
/// asked for more.
///
/// Callers who may have the same share one, unless it has values that were read for one user.
final class Listings: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let deadline: Deadline
    private let logger: Logger
    private let stragglers = Stragglers()
    private let kept = Mutex(CostBoundedCache<Key, Kept>(costLimit: byteLimit))

    /// Bytes of all lists together, about.
    private static let byteLimit = 8 << 20

    private struct Key: Hashable {
        let offering: Offering
        let audience: Audience
        let locale: ScreenLocale
    }

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

    /// The list of what a caller may have in one of the catalog's languages, with the values that parameters have now. Those
    /// that cannot be read in time are left out, as a list without them is of more use than none, and such a list is not kept.
    func document(in locale: ScreenLocale, for caller: Caller, within earlier: Deadline?) -> Eventual<Document> {
        let offering = catalog.offering(to: caller)
        let key = Key(offering: offering, audience: audience(of: offering, for: caller), locale: locale)
        if let kept = kept.withLock({ $0.use(key) }), kept.reads.isEmpty || topics.isTrusted { return .now(kept.document) }
        return .later { [self] in await make(key, within: earlier ?? deadline) }
    }

    /// Whose values are in a list.
    private func audience(of offering: Offering, for caller: Caller) -> Audience {
        guard let user = caller.user else { return .everyone }
        let isOfUser = catalog.offered(offering).contains { served, _ in served.visibility == .user && !served.screen.values.isEmpty }
        return isOfUser ? .user(user) : .everyone
    }

    /// Lets go of what has read something of what was announced.
    func outdate(reading announcement: Announcement) {
        let outdated = kept.withLock { kept in
            kept.removeAll { $0.reads.contains(where: announcement.touches) }
        }
        withExtendedLifetime(outdated) {}
    }

    private func make(_ key: Key, within deadline: Deadline) async -> Document {
        let generation = topics.beginComputation()
        defer { topics.endComputation(begunIn: generation) }
        var (values, reads, isWhole): ([String: [String: [ParameterValue]]], Set<Topic>, Bool) = ([:], [], true)
        for (name, found) in await found(for: key, within: deadline) {
            switch found {
            case .success(let found):
                values[name] = found.values
                reads.formUnion(found.reads)
            case .failure(let error):
                isWhole = false
                logger.error("the values of a screen's parameters could not be read", metadata: ["screen": "\(name)", "error": "\(error)"])
            }
        }
        let bytes = catalog.document(in: key.locale, of: key.offering, values: values)
        let document = Document(ofService: bytes, in: key.locale, for: key.audience, hash)
        if isWhole {
            topics.ifUnchanged(reads, since: generation) {
                let cost = bytes.count + Self.cost
                let gone = kept.withLock { $0.insert(Kept(document: document, reads: reads), for: key, cost: cost) }
                withExtendedLifetime(gone) {}
            }
        }
        return document
    }

    /// What a list takes beside its bytes: its key, and the responses that are made of it.
    private static let cost = 8 << 10

    /// All screens at once, so that one that hangs takes no time of others.
    private func found(for key: Key, within deadline: Deadline) async -> [(String, Result<Found, any Error>)] {
        await withTaskGroup { group in
            for (served, _) in catalog.offered(key.offering) where !served.screen.values.isEmpty {
                group.addTask { [self] in
                    (served.name, await Result { try await found(of: served, for: key, within: deadline) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func found(of served: ServedScreen, for key: Key, within deadline: Deadline) async throws -> Found {
        try stragglers.admit(served.name)
        let audience = served.visibility == .everyone ? .everyone : key.audience
        return try await deadline.value { [topics] in
            let (values, reads) = try await CurrentScreen.$name.withValue(served.name) {
                try await topics.recordingReads {
                    var values: [String: [ParameterValue]] = [:]
                    for one in served.screen.values { values[one.parameter] = try await one.read(key.locale, audience) }
                    return values
                }
            }
            return (values, reads)
        } late: { [stragglers] task in
            stragglers.add(task, of: served.name)
            return DeadlineFault.notComputed
        }
    }
}

extension Document {
    /// One that says something of the service; its version names its bytes, and whom they are for.
    convenience init(ofService bytes: [UInt8], in locale: ScreenLocale, for audience: Audience, _ hash: ContentHash) {
        self.init(.listing, bytes: bytes, version: hash.version(of: bytes, for: audience).description, locale: locale, growth: Growth())
    }
}
