import Logging
import Synchronization

/// The documents about the service: lists of screens, and descriptions. They are computed like views: each at most once at a time,
/// and cached until a topic that it read is announced, or others are requested more.
///
/// Callers with the same permissions share one, unless it has values that were read for one user.
final class Listings: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let deadline: Deadline
    private let logger: Logger
    private let stragglers = Stragglers()
    private let kept = Mutex(CostBoundedCache<Key, (document: Document, reads: Set<Topic>)>(costLimit: byteLimit))
    /// The computations in progress, each with the generation of topics that was noted before reading.
    private let running = Mutex<[Key: (generation: Topics.Generation, task: Task<Document, Never>)]>([:])

    /// The approximate number of bytes of all documents together.
    private static let byteLimit = 16 << 20

    private struct Key: Hashable {
        enum Kind { case list, description }

        let kind: Kind
        let offering: Offering
        let audience: Audience
        let locale: ScreenLocale
    }

    /// The bytes of a document, with the topics that it read; nil where a part is missing, so that it is not cached.
    private typealias Content = (bytes: [UInt8], reads: Set<Topic>?)

    /// What is read of a screen, and what it was read from.
    private typealias Found = (values: [String: [ParameterValue]], reads: Set<Topic>)

    init(of catalog: ScreenCatalog, _ hash: ContentHash, topics: Topics, deadline: Deadline, logger: Logger) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.deadline = deadline
        self.logger = logger
    }

    /// The list of what a caller may have in one of the catalog's languages, with the current values of parameters. Those
    /// that cannot be read in time are left out, as a list without them is of more use than none.
    ///
    /// - Parameter earlier: a deadline of the request, at which it gets the list without values.
    func list(in locale: ScreenLocale, for caller: Caller, within earlier: Deadline?) -> Eventual<Document> {
        let offering = catalog.offering(to: caller)
        let key = Key(kind: .list, offering: offering, audience: audience(of: offering, for: caller), locale: locale)
        let made = document(of: key) { [self] in await list(key) }
        guard let earlier, case .later = made else { return made }
        return .later { [self] in
            do { return try await made.within(earlier).value } catch { return document(catalog.document(in: locale, of: offering), of: key) }
        }
    }

    /// A description of what a caller may have.
    func description(for caller: Caller, _ describe: @escaping @Sendable (Offering) -> [UInt8]) -> Eventual<Document> {
        let offering = catalog.offering(to: caller)
        let key = Key(kind: .description, offering: offering, audience: .everyone, locale: catalog.locales[0])
        return document(of: key) { (describe(offering), []) }
    }

    /// Whose values are in a list.
    private func audience(of offering: Offering, for caller: Caller) -> Audience {
        guard let user = caller.user else { return .everyone }
        let isOfUser = catalog.offered(offering).contains { served, _ in served.visibility == .user && !served.screen.values.isEmpty }
        return isOfUser ? .user(user) : .everyone
    }

    /// Discards the documents that have read a topic of an announcement.
    func outdate(reading announcement: Announcement) {
        let outdated = kept.withLock { kept in
            kept.removeAll { $0.reads.contains(where: announcement.touches) }
        }
        withExtendedLifetime(outdated) {}
    }

    private func document(of key: Key, _ compute: @escaping @Sendable () async -> Content) -> Eventual<Document> {
        if let kept = kept.withLock({ $0.use(key) }), kept.reads.isEmpty || topics.isTrusted { return .now(kept.document) }
        return .later { [self] in await joinOrStart(key, compute).value }
    }

    /// Returns the computation of a document that is in progress, or begins one. One that began before an announcement is not joined:
    /// a client reads what it has written.
    private func joinOrStart(_ key: Key, _ compute: @escaping @Sendable () async -> Content) -> Task<Document, Never> {
        running.withLock { running in
            if let computation = running[key], topics.isTrusted, computation.generation == topics.generation { return computation.task }
            let generation = topics.beginComputation()
            let task = Task.detached { [self] in
                let (bytes, reads) = await compute()
                let document = document(bytes, of: key)
                if let reads {
                    topics.ifUnchanged(reads, since: generation) {
                        let gone = kept.withLock { $0.insert((document, reads), for: key, cost: 3 * bytes.count + Self.cost) }
                        withExtendedLifetime(gone) {}
                    }
                }
                topics.endComputation(begunIn: generation)
                self.running.withLock { if $0[key]?.generation == generation { $0[key] = nil } }
                return document
            }
            running[key] = (generation, task)
            return task
        }
    }

    /// The approximate number of bytes of a key. The responses that are made of a document take about as much as it.
    private static let cost = 8 << 10

    private func document(_ bytes: [UInt8], of key: Key) -> Document {
        let version = hash.version(of: bytes, for: key.audience).description
        return Document(.listing, bytes: bytes, version: version, locale: key.locale)
    }

    private func list(_ key: Key) async -> Content {
        var (values, reads, isWhole): ([String: [String: [ParameterValue]]], Set<Topic>, Bool) = ([:], [], true)
        for (name, found) in await found(for: key) {
            switch found {
            case .success(let found):
                values[name] = found.values
                reads.formUnion(found.reads)
            case .failure(let error):
                isWhole = false
                logger.error("the values of a screen's parameters could not be read", metadata: ["screen": "\(name)", "error": "\(error)"])
            }
        }
        return (catalog.document(in: key.locale, of: key.offering, values: values), isWhole ? reads : nil)
    }

    /// All screens at once, so that one that hangs takes no time of others.
    private func found(for key: Key) async -> [(String, Result<Found, any Error>)] {
        await withTaskGroup { group in
            for (served, _) in catalog.offered(key.offering) where !served.screen.values.isEmpty {
                group.addTask { [self] in
                    (served.name, await Result { try await found(of: served, for: key) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func found(of served: ServedScreen, for key: Key) async throws -> Found {
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
