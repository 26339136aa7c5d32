extension StagedChangeset: RandomAccessCollection {
    /// A stage with what the view shows after it.
    public struct Step {
        public let stage: Stage
        fileprivate let changeset: StagedChangeset
        fileprivate let count: Int

        /// The sections after this stage, for the closure in which the view's data is set. Computed at
        /// each call.
        public var data: [Section] {
            do { return try changeset.data(after: count) } catch { preconditionFailure("the differ's own stages fit: \(error)") }
        }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { stages.count }

    public subscript(position: Int) -> Step {
        Step(stage: stages[position], changeset: self, count: position + 1)
    }
}

extension StagedChangeset {
    /// The number of cells and sections that are deleted, inserted, moved or updated, in all stages.
    public var changeCount: Int {
        stages.reduce(0) { $0 + $1.changeCount }
    }

    /// A way to bring a view up to date.
    public enum Plan {
        /// Set the data and reload: there is too much to animate.
        case reload([Section])
        /// One batch update after another.
        case animate([Step])
    }

    /// Decides between batch updates and a reload.
    ///
    /// - Parameter interrupt: whether this is too much to animate, such as `{ $0.changeCount > 100 }`.
    public func plan(interrupt: (StagedChangeset) -> Bool) -> Plan {
        interrupt(self) ? .reload(target) : .animate(Array(self))
    }
}

extension StagedChangeset: CustomDebugStringConvertible {
    /// The stages, some lines each.
    public var debugDescription: String {
        let steps = stages.enumerated().map { "stage \($0 + 1) of \(stages.count)\n\($1.debugDescription)" }
        return (["\(changeCount) changes in \(stages.count) stages"] + steps).joined(separator: "\n")
    }
}
