import Synchronization

/// A cache of documents that were made from computed views. The least recently used documents are evicted when the cache exceeds its
/// maximum number of bytes. The documents of a computed view are removed when the view is deallocated.
final class DerivedDocuments: Sendable {
    private struct Key: Hashable {
        let view: ObjectIdentifier
        let presented: PresentedVersion
    }

    private struct State {
        var documents: CostBoundedCache<Key, (key: Key, document: Document)>
        /// For each view, the presented versions that have a cached document.
        var presented: [ObjectIdentifier: Set<PresentedVersion>] = [:]

        mutating func noteRemoval(of key: Key) {
            presented[key.view]?.remove(key.presented)
            if presented[key.view]?.isEmpty == true { presented[key.view] = nil }
        }
    }

    private let state: Mutex<State>

    init(byteLimit: Int) {
        state = Mutex(State(documents: CostBoundedCache(costLimit: byteLimit)))
    }

    /// The approximate number of bytes of all documents and of the responses that are prepared from them.
    var bytes: Int { state.withLock { $0.documents.totalCost } }

    func document(of view: ComputedView, for presented: PresentedVersion) -> Document? {
        state.withLock { $0.documents.use(Key(view: ObjectIdentifier(view), presented: presented))?.document }
    }

    /// Caches a document and returns it. If a document of the view for the same presented version is already cached, returns the cached
    /// document.
    func keep(_ made: Document, of view: ComputedView, for presented: PresentedVersion) -> Document {
        let key = Key(view: ObjectIdentifier(view), presented: presented)
        let (document, evicted) = state.withLock { state in
            if let (_, cached) = state.documents.use(key) { return (cached, []) }
            state.presented[key.view, default: []].insert(presented)
            let evicted = state.documents.insert((key, made), for: key, cost: made.cost)
            for (key, _) in evicted { state.noteRemoval(of: key) }
            return (made, evicted)
        }
        withExtendedLifetime(evicted) {}
        return document
    }

    /// Removes the documents of a view.
    func removeAll(of view: ObjectIdentifier) {
        let removed = state.withLock { state in
            (state.presented.removeValue(forKey: view) ?? []).map { state.documents.remove(Key(view: view, presented: $0)) }
        }
        withExtendedLifetime(removed) {}
    }
}
