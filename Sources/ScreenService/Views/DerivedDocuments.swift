import Synchronization

/// The documents made from views, up to a number of bytes. The least recently used ones are evicted, and all of a view when that is
/// released.
final class DerivedDocuments: Sendable {
    private struct Key: Hashable {
        let view: ObjectIdentifier
        let presented: PresentedVersion
    }

    private struct State {
        var documents: CostBoundedCache<Key, (key: Key, document: Document)>
        /// The versions that were presented for the documents of each view.
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

    /// The bytes of all documents, with the forms in which they are sent, about.
    var bytes: Int { state.withLock { $0.documents.totalCost } }

    func document(of view: ComputedView, for presented: PresentedVersion) -> Document? {
        state.withLock { $0.documents.use(Key(view: ObjectIdentifier(view), presented: presented))?.document }
    }

    /// Caches a document. Of two for the same version, the first is cached and returned.
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

    /// Removes the documents of a view that is released.
    func removeAll(of view: ObjectIdentifier) {
        let removed = state.withLock { state in
            (state.presented.removeValue(forKey: view) ?? []).map { state.documents.remove(Key(view: view, presented: $0)) }
        }
        withExtendedLifetime(removed) {}
    }
}
