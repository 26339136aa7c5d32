/// Keeps values up to a total cost, and lets go of those that were not used for longest.
struct CostBoundedCache<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
    }

    let costLimit: Int
    private(set) var totalCost = 0
    private var indices: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var newest = -1
    private var oldest = -1

    var count: Int { indices.count }

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// The value of a key, which counts as used.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return nodes[index].value
    }

    /// Keeps a value, instead of an earlier one of that key.
    ///
    /// - Returns: the values that had to go for it, the value itself among them if it alone costs
    ///   more than the limit.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
        _ = remove(key)
        nodes.append(Node(key: key, value: value, cost: cost, newer: -1, older: -1))
        indices[key] = nodes.count - 1
        totalCost += cost
        link(nodes.count - 1)
        return shrink()
    }

    /// Says that a value has come to cost more.
    ///
    /// - Returns: the values that had to go.
    mutating func add(cost: Int, to key: Key) -> [Value] {
        guard let index = indices[key] else { return [] }
        nodes[index].cost += cost
        totalCost += cost
        return shrink()
    }

    mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        unlink(index)
        moveLast(to: index)
        let node = nodes.removeLast()
        totalCost -= node.cost
        return node.value
    }

    private mutating func shrink() -> [Value] {
        var evicted: [Value] = []
        while totalCost > costLimit, oldest >= 0, let value = remove(nodes[oldest].key) { evicted.append(value) }
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
        let (newer, older) = (nodes[last].newer, nodes[last].older)
        if newer >= 0 { nodes[newer].older = index } else { newest = index }
        if older >= 0 { nodes[older].newer = index } else { oldest = index }
        indices[nodes[last].key] = index
        nodes.swapAt(index, last)
    }
}
