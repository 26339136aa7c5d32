import ScreenDiff

/// A list view that records the calls of its functions.
@MainActor final class ListView<Data: Equatable & Sendable>: BatchUpdating {
    enum Call: Equatable {
        case begin, end, reload
        case setData(Data)
        case perform(ListOperation)
    }

    var log: [Call] = []
    let isShown: Bool
    /// The completions of all batches. A test calls them.
    var completions: [@MainActor (Bool) -> Void] = []
    /// A function that is called at the end of each batch.
    var willEndBatch: () -> Void = {}

    init(isShown: Bool = true) {
        self.isShown = isShown
    }

    func reloadData() { log.append(.reload) }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        log.append(.begin)
        updates()
        completions.append(completion)
        willEndBatch()
        log.append(.end)
    }

    func perform(_ operation: ListOperation) { log.append(.perform(operation)) }
}
