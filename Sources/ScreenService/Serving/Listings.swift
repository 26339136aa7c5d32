import Logging
import Synchronization

/// Computes and caches documents about the service: lists of screens, and descriptions of screens and actions.
///
/// A document is cached until a topic that was read for it is announced, or until memory is needed for other documents. At most one
/// computation per document runs at a time. Callers with the same permissions share a document, unless the document has values that were
/// read for one user.
///
/// A list contains the current values of parameters, which are read concurrently, so that a screen that hangs does not delay other screens.
/// If the deadline of a request passes, the list contains only the values that have been read so far and are current.
final class Listings: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let topics: Topics
    private let deadline: Deadline
    private let logger: Logger
    private let stragglers = Stragglers()
    private let cache = Mutex(CostBoundedCache<Key, (document: Document, reads: Set<Topic>)>(costLimit: byteLimit))
    private let running = Mutex<[Key: Computation]>([:])

    private static let byteLimit = 16 << 20
    private static let keyCost = 8 << 10

    private struct Key: Hashable {
        enum Kind { case list, description }

        let kind: Kind
        let offering: Offering
        let audience: Audience
        let locale: ScreenLocale
    }

    /// The bytes of a document, and the topics that were read for it. `reads` is `nil` if a part of the document is missing, so that the
    /// document is not cached.
    private typealias Content = (bytes: [UInt8], reads: Set<Topic>?)

    /// A function that computes a document. It adds each value that it reads to the given `ReadValues`, so that a partial list can use the
    /// values.
    private typealias Compute = @Sendable (ReadValues) async -> Content

    private struct Computation {
        /// The generation (see ``TopicGenerations``) that was recorded before the computation read data.
        let generation: Topics.Generation
        let values: ReadValues
        let task: Task<Document, Never>
    }

    private final class ReadValues: Sendable {
        private let state = Mutex((values: [String: [String: [ParameterValue]]](), reads: Set<Topic>()))

        var current: (values: [String: [String: [ParameterValue]]], reads: Set<Topic>) { state.withLock(\.self) }

        func add(_ values: [String: [ParameterValue]], of screen: String, reads: Set<Topic>) {
            state.withLock { state in
                state.values[screen] = values
                state.reads.formUnion(reads)
            }
        }
    }

    init(of catalog: ScreenCatalog, _ hash: ContentHash, topics: Topics, deadline: Deadline, logger: Logger) {
        self.catalog = catalog
        self.hash = hash
        self.topics = topics
        self.deadline = deadline
        self.logger = logger
    }

    /// Returns the list of the screens that a caller can access. `earlier` is the deadline of the request, which can pass before the
    /// deadline of the service.
    func list(in locale: ScreenLocale, for caller: Caller, within earlier: Deadline?) -> Eventual<Document> {
        let offering = catalog.offering(to: caller)
        let key = Key(kind: .list, offering: offering, audience: audience(of: offering, for: caller), locale: locale)
        let document = document(of: key) { [self] in await list(key, $0) }
        guard let earlier, case .later = document else { return document }
        return .later { [self] in
            let arrival = topics.generation
            do { return try await document.within(earlier).value } catch { return partialList(key, since: arrival) }
        }
    }

    func description(
        for caller: Caller, beside routes: [String], _ describe: @escaping @Sendable (Offering) -> [UInt8]
    ) -> Eventual<Document> {
        let offering = Offering(screens: catalog.offering(to: caller).screens, routes: routes)
        let key = Key(kind: .description, offering: offering, audience: .everyone, locale: catalog.locales[0])
        return document(of: key) { _ in (describe(offering), []) }
    }

    /// Returns the audience that the list is computed for: the caller if the list contains values for one user, otherwise everyone.
    private func audience(of offering: Offering, for caller: Caller) -> Audience {
        guard let user = caller.user else { return .everyone }
        let isOfUser = catalog.offered(offering).contains { served, _ in served.visibility == .user && !served.screen.values.isEmpty }
        return isOfUser ? .user(user) : .everyone
    }

    /// Discards the cached documents for which an announced topic was read.
    func outdate(reading announcement: Announcement) {
        let outdated = cache.withLock { cache in
            cache.removeAll { $0.reads.contains(where: announcement.touches) }
        }
        withExtendedLifetime(outdated) {}
    }

    private func document(of key: Key, _ compute: @escaping Compute) -> Eventual<Document> {
        if let cached = cache.withLock({ $0.use(key) }), cached.reads.isEmpty || topics.isTrusted { return .now(cached.document) }
        return .later { [self] in await computed(key, compute) }
    }

    /// Returns a document that includes all commits that were announced before the call.
    private func computed(_ key: Key, _ compute: @escaping Compute) async -> Document {
        let arrival = topics.generation
        let (computation, isNew) = joinOrStart(key, compute)
        if isNew || topics.isTrusted && computation.generation >= arrival { return await computation.task.value }
        do {
            return try await deadline.value { [self] in
                _ = await computation.task.value
                // The computation began before this call, so its result may be outdated. An outdated result is never in the cache.
                // Therefore, if the cache now has the document, the document is current.
                if topics.isTrusted, let cached = cache.withLock({ $0.use(key) }) { return cached.document }
                return await joinOrStart(key, compute).0.task.value
            } late: { _ in
                DeadlineFault.notComputed
            }
        } catch {
            // Only a list can reach the deadline, because only lists read data.
            return key.kind == .list ? partialList(key, since: arrival) : await joinOrStart(key, compute).0.task.value
        }
    }

    private func joinOrStart(_ key: Key, _ compute: @escaping Compute) -> (Computation, isNew: Bool) {
        running.withLock { running in
            if let computation = running[key] { return (computation, false) }
            let (generation, values) = (topics.beginComputation(), ReadValues())
            let task = Task.detached { [self] in
                let (bytes, reads) = await compute(values)
                let document = document(bytes, of: key)
                if let reads {
                    topics.ifUnchanged(reads, since: generation) {
                        let evicted = cache.withLock { $0.insert((document, reads), for: key, cost: 3 * bytes.count + Self.keyCost) }
                        withExtendedLifetime(evicted) {}
                    }
                }
                topics.endComputation(begunIn: generation)
                self.running.withLock { $0[key] = nil }
                return document
            }
            let computation = Computation(generation: generation, values: values, task: task)
            running[key] = computation
            return (computation, true)
        }
    }

    private func document(_ bytes: [UInt8], of key: Key) -> Document {
        let version = hash.version(of: bytes, for: key.audience).description
        return Document(.listing, bytes: bytes, version: version, locale: key.locale)
    }

    private func document(of key: Key, _ values: [String: [String: [ParameterValue]]]) -> [UInt8] {
        catalog.document(in: key.locale, of: key.offering, values: values)
    }

    private func list(_ key: Key, _ values: ReadValues) async -> Content {
        let isComplete = await withTaskGroup { group in
            for (served, _) in catalog.offered(key.offering) where !served.screen.values.isEmpty {
                group.addTask { [self] in await read(served, for: key, into: values) }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        let result = values.current
        return (document(of: key, result.values), isComplete ? result.reads : nil)
    }

    /// Returns the list with the values that the running computation has read so far. The list has no values if they may be outdated: if
    /// the computation began before `arrival`, or if this replica may have missed commits.
    private func partialList(_ key: Key, since arrival: Topics.Generation) -> Document {
        let values = running.withLock { running in
            running[key].flatMap { topics.isTrusted && $0.generation >= arrival ? $0.values.current.values : nil }
        }
        return document(document(of: key, values ?? [:]), of: key)
    }

    /// Reads the values of a screen's parameters. Returns `false` if they could not be read.
    private func read(_ served: ServedScreen, for key: Key, into values: ReadValues) async -> Bool {
        do {
            try stragglers.admit(served.name)
            let (result, reads) = try await deadline.value { [topics] in
                try await CurrentScreen.$name.withValue(served.name) {
                    try await topics.recordingReads { try await Self.values(of: served, for: key) }
                }
            } late: { [stragglers] task in
                stragglers.add(task, of: served.name)
                return DeadlineFault.notComputed
            }
            values.add(result, of: served.name, reads: reads)
            return true
        } catch {
            logger.error(
                "the values of a screen's parameters could not be read", metadata: ["screen": "\(served.name)", "error": "\(error)"])
            return false
        }
    }

    private static func values(of served: ServedScreen, for key: Key) async throws -> [String: [ParameterValue]] {
        let audience = served.visibility == .everyone ? .everyone : key.audience
        var values: [String: [ParameterValue]] = [:]
        for parameter in served.screen.values { values[parameter.parameter] = try await parameter.read(key.locale, audience) }
        return values
    }
}
