/// A cache of values up to a total cost, which lets go of those that were not used for longest.
///
/// What is pinned stays, and counts.
package struct CostBoundedCache<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
        var isPinned = false
    }

    /// For how many it keeps room, about, however few there are.
    static var idleCapacity: Int { 64 }

    let costLimit: Int
    package private(set) var totalCost = 0
    /// The part of it that is pinned.
    private(set) var pinnedCost = 0
    private var indices: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var newest = -1
    private var oldest = -1

    package var count: Int { indices.count }
    /// For how many it has room already.
    var capacity: Int { max(indices.capacity, nodes.capacity) }

    package init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// The value of a key, which counts as used.
    package mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest, !nodes[index].isPinned {
            unlink(index)
            link(index)
        }
        return nodes[index].value
    }

    /// The value of a key, which does not count as used.
    func value(of key: Key) -> Value? {
        indices[key].map { nodes[$0].value }
    }

    /// Keeps a value, instead of an earlier one of that key.
    ///
    /// - Returns: the values that had to go for it; the value itself alone if it costs more than the limit.
    package mutating func insert(_ value: Value, for key: Key, cost: Int, isPinned: Bool = false) -> [Value] {
        _ = remove(key)
        guard isPinned || cost <= costLimit else { return [value] }
        nodes.append(Node(key: key, value: value, cost: cost, newer: -1, older: -1, isPinned: isPinned))
        indices[key] = nodes.count - 1
        totalCost += cost
        if isPinned { pinnedCost += cost } else { link(nodes.count - 1) }
        return shrink()
    }

    /// Changes a value that is there, or what it costs; its turn to go stays.
    ///
    /// - Returns: the values that had to go.
    mutating func update(_ key: Key, to value: Value, cost: Int) -> [Value] {
        guard let index = indices[key] else { return [] }
        totalCost += cost - nodes[index].cost
        if nodes[index].isPinned { pinnedCost += cost - nodes[index].cost }
        nodes[index].value = value
        nodes[index].cost = cost
        if cost > costLimit, !nodes[index].isPinned { return remove(key).map { [$0] } ?? [] }
        return shrink()
    }

    /// Has the value of a key stay, or lets it go again in its turn.
    ///
    /// - Returns: the values that had to go.
    mutating func pin(_ key: Key, _ isPinned: Bool) -> [Value] {
        guard let index = indices[key], nodes[index].isPinned != isPinned else { return [] }
        if isPinned { unlink(index) } else { link(index) }
        nodes[index].isPinned = isPinned
        pinnedCost += isPinned ? nodes[index].cost : -nodes[index].cost
        if !isPinned, nodes[index].cost > costLimit { return remove(key).map { [$0] } ?? [] }
        return shrink()
    }

    /// Lets go of what was not used for longest; nil where nothing is left that is not pinned.
    mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest >= 0 else { return nil }
        let key = nodes[oldest].key
        return remove(key).map { (key, $0) }
    }

    package mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        if !nodes[index].isPinned { unlink(index) }
        moveLast(to: index)
        let node = nodes.removeLast()
        totalCost -= node.cost
        if node.isPinned { pinnedCost -= node.cost }
        giveBackRoom()
        return node.value
    }

    /// Lets go of all of this kind that is not pinned, and returns it.
    mutating func removeAll(where isUnwanted: (Value) -> Bool) -> [Value] {
        let unwanted = nodes.filter { !$0.isPinned && isUnwanted($0.value) }.map(\.key)
        return unwanted.compactMap { remove($0) }
    }

    /// What was full for once would take as much for ever. Rarely, so that it costs little for each.
    private mutating func giveBackRoom() {
        guard capacity > Self.idleCapacity, nodes.count < capacity / 8 else { return }
        nodes = nodes.map { $0 }
        indices = indices.reduce(into: [:]) { $0[$1.key] = $1.value }
    }

    private mutating func shrink() -> [Value] {
        var evicted: [Value] = []
        while totalCost > costLimit, let (_, value) = removeOldest() { evicted.append(value) }
        return evicted
    }

    private mutating func link(_ index: Int) {
        nodes[index].older = newest
        nodes[index].newer = -1
        if newest >= 0 { nodes[newest].newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (nodes[index].newer, nodes[index].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }

    /// Fills the place of a node that is not linked any more, so that the last place is free.
    private mutating func moveLast(to index: Int) {
        let last = nodes.count - 1
        guard index != last else { return }
        if !nodes[last].isPinned {
            let (newer, older) = (nodes[last].newer, nodes[last].older)
            if newer >= 0 { nodes[newer].older = index } else { newest = index }
            if older >= 0 { nodes[older].newer = index } else { oldest = index }
        }
        indices[nodes[last].key] = index
        nodes.swapAt(index, last)
    }
}
