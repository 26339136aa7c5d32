extension StagedChangeset {
    /// The number of changes in all stages.
    public var changeCount: Int {
        reduce(0) { $0 + $1.changeCount }
    }

    /// A way to bring a view up to date: one batch update after another, and a reload where the next would be too much.
    public struct Plan {
        /// To be performed one by one.
        public let animated: [Changeset<Collection>]
        /// What to set then, and to reload; nil if all stages are animated.
        public let reloaded: Collection?
    }

    /// Decides between batch updates and a reload.
    ///
    /// - Parameters:
    ///   - isShown: whether the view is in a window. One that is in none has nothing to animate.
    ///   - interrupt: whether this is too much to animate, such as `{ $0.changeCount > 100 }`. It is asked about each
    ///     stage in turn, until it says yes.
    public func plan(isShown: Bool = true, interrupt: ((Changeset<Collection>) -> Bool)? = nil) -> Plan {
        let animated = isShown ? Array(prefix { interrupt?($0) != true }) : []
        return Plan(animated: animated, reloaded: animated.count < count ? last?.data : nil)
    }
}

extension StagedChangeset.Plan: Sendable where Collection: Sendable {}
