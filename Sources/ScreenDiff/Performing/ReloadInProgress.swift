/// A call of `reload(using:)` in progress, and the newest data of the changesets that have arrived since.
@MainActor
final class ReloadInProgress {
    /// The calls in progress, by the identity of the view.
    static var all: [ObjectIdentifier: ReloadInProgress] = [:]

    private var newest: Any?
    private var waiting: [PendingBatches] = []

    /// A Boolean value that indicates whether a changeset has arrived whose data is not shown yet.
    var isOutdated: Bool { newest != nil }

    /// Records the data of a changeset that has arrived. The completion of the changeset is called after the view was reloaded.
    func wait(for batches: PendingBatches, data: Any) {
        batches.begin()
        waiting.append(batches)
        newest = data
    }

    /// Calls `show` with the newest data, and repeats this as long as new data arrives.
    ///
    /// - Returns: a Boolean value that indicates whether `show` was called.
    func showNewestData<Data>(_ show: (Data) -> Void) -> Bool {
        let isOutdated = isOutdated
        while let data = newest {
            guard let data = data as? Data else {
                preconditionFailure("a view has one type of data, but \(Data.self) and \(type(of: data)) arrived at once")
            }
            let shown = waiting
            (newest, waiting) = (nil, [])
            show(data)
            for batches in shown { batches.end(true) }
        }
        return isOutdated
    }
}

/// The batches in progress of one changeset.
@MainActor
final class PendingBatches {
    /// The number of batches in progress, plus one while the call that begins the batches is in progress.
    private var count = 1
    private var areFinished = true
    private let completion: (@MainActor (Bool) -> Void)?

    init(_ completion: (@MainActor (Bool) -> Void)?) {
        self.completion = completion
    }

    func begin() {
        count += 1
    }

    /// Records that a batch, or the call that begins the batches, has ended. Calls the completion if nothing is left in progress.
    func end(_ isFinished: Bool) {
        if !isFinished { fail() }
        count -= 1
        if count == 0 { completion?(areFinished) }
    }

    /// Records that not all changes were animated.
    func fail() {
        areFinished = false
    }
}
