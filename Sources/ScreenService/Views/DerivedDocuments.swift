import Synchronization

/// A cache of documents that were made from computed views. When a view is deallocated, its documents are removed.
final class DerivedDocuments: Sendable {
    private struct Key: Hashable {
        let view: ObjectIdentifier
        let presented: PresentedVersion
    }

    private struct State {
        var documents: CostBoundedCache<Key, (key: Key, document: Document)>
        /// The presented versions that have a cached document, by view.
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

    /// The approximate number of bytes of all documents and their prepared responses.
    var bytes: Int { state.withLock { $0.documents.totalCost } }

    func document(of view: ComputedView, for presented: PresentedVersion) -> Document? {
        state.withLock { $0.documents.use(Key(view: ObjectIdentifier(view), presented: presented))?.document }
    }

    /// Caches and returns a document, or returns the document that is already cached for the view and the presented version.
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

    func removeAll(of view: ObjectIdentifier) {
        let removed = state.withLock { state in
            (state.presented.removeValue(forKey: view) ?? []).map { state.documents.remove(Key(view: view, presented: $0)) }
        }
        withExtendedLifetime(removed) {}
    }
}
