/// A cache of values with a maximum total cost. The least recently used values are evicted, except pinned values.
///
/// The cost of pinned values is part of the total cost. Functions that can evict values return the evicted values.
package struct CostBoundedCache<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
        var isPinned = false
    }

    /// The capacity below which unused memory is not freed.
    static var idleCapacity: Int { 64 }

    let costLimit: Int
    package private(set) var totalCost = 0
    private(set) var pinnedCost = 0
    private var indices: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var newest = -1
    private var oldest = -1

    package var count: Int { indices.count }
    var capacity: Int { max(indices.capacity, nodes.capacity) }

    package init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// Returns the value of a key, and marks it as the most recently used one.
    package mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest, !nodes[index].isPinned {
            unlink(index)
            link(index)
        }
        return nodes[index].value
    }

    /// Returns the value of a key, without marking it as the most recently used one.
    func value(of key: Key) -> Value? {
        indices[key].map { nodes[$0].value }
    }

    /// Inserts a value, or replaces the value of the key. A value that costs more than the limit is not inserted, unless it is pinned.
    package mutating func insert(_ value: Value, for key: Key, cost: Int, isPinned: Bool = false) -> [Value] {
        _ = remove(key)
        guard isPinned || cost <= costLimit else { return [value] }
        nodes.append(Node(key: key, value: value, cost: cost, newer: -1, older: -1, isPinned: isPinned))
        indices[key] = nodes.count - 1
        totalCost += cost
        if isPinned { pinnedCost += cost } else { link(nodes.count - 1) }
        return shrink()
    }

    /// Replaces the value and the cost of a key that exists, without marking the value as the most recently used one.
    mutating func update(_ key: Key, to value: Value, cost: Int) -> [Value] {
        guard let index = indices[key] else { return [] }
        totalCost += cost - nodes[index].cost
        if nodes[index].isPinned { pinnedCost += cost - nodes[index].cost }
        nodes[index].value = value
        nodes[index].cost = cost
        if cost > costLimit, !nodes[index].isPinned { return remove(key).map { [$0] } ?? [] }
        return shrink()
    }

    /// Pins or unpins the value of a key. Unpinning marks it as the most recently used one.
    mutating func pin(_ key: Key, _ isPinned: Bool) -> [Value] {
        guard let index = indices[key], nodes[index].isPinned != isPinned else { return [] }
        if isPinned { unlink(index) } else { link(index) }
        nodes[index].isPinned = isPinned
        pinnedCost += isPinned ? nodes[index].cost : -nodes[index].cost
        if !isPinned, nodes[index].cost > costLimit { return remove(key).map { [$0] } ?? [] }
        return shrink()
    }

    /// Removes and returns the least recently used value that is not pinned.
    package mutating func removeOldest() -> (key: Key, value: Value)? {
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
        freeCapacity()
        return node.value
    }

    /// Removes and returns all matching values that are not pinned.
    mutating func removeAll(where isUnwanted: (Value) -> Bool) -> [Value] {
        let unwanted = nodes.filter { !$0.isPinned && isUnwanted($0.value) }.map(\.key)
        return unwanted.compactMap { remove($0) }
    }

    /// Frees memory if most of it is unused. This happens so rarely that the average cost of a removal is small.
    private mutating func freeCapacity() {
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

    /// Exchanges an unlinked node with the last node of the array. The unlinked node can then be removed from the end of the array.
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
