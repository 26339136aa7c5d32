/// Finds the members of a sequence of distinct numbers that form a longest increasing subsequence.
///
/// These members stay in place while all others move, so their number decides how few moves suffice.
///
/// - Parameter kept: the index of a number that shall be a member if that costs none.
/// - Returns: for each number, whether it is a member.
func longestIncreasingSubsequence(of numbers: [Int32], keeping kept: Int?) -> [Bool] {
    var runs: ContiguousArray<PairedRun> = []
    runs.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
        runs.append(PairedRun(source: Int32(truncatingIfNeeded: index), target: number, count: 1, targetSection: 0))
    }
    return longestIncreasingSubsequence(of: runs.span, in: 0, keeping: kept)
}

/// The same for the targets of those runs that are in one section of the target. Each stands for `count` numbers that
/// increase by one. What has one of them has all: no other number lies between. Of several longest ones it is one with
/// the most runs, so that the fewest move.
///
/// - Parameter kept: the index of a run in that section.
func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32, keeping kept: Int?) -> [Bool] {
    let longest = longestIncreasingSubsequence(of: runs, in: home)
    guard let kept, !longest[kept] else { return longest }
    // Those that can be members together with it. It is in every longest subsequence of them, since
    // it could be added to any other.
    let companions = runs.indices.filter { index in
        runs[index].targetSection == home
            && (index == kept || (index < kept) == (runs[index].target < runs[kept].target))
    }
    let candidates: ContiguousArray<PairedRun> = ContiguousArray(companions.map { runs[$0] })
    let members = longestIncreasingSubsequence(of: candidates.span, in: home)
    var isMember = Array(repeating: false, count: runs.count)
    for (companion, member) in zip(companions, members) { isMember[companion] = member }
    return length(runs, isMember) == length(runs, longest) ? isMember : longest
}

private func length(_ runs: Span<PairedRun>, _ isMember: [Bool]) -> Int {
    runs.indices.reduce(0) { isMember[$1] ? $0 + Int(runs[$1].count) : $0 }
}

/// Patience sorting with back-pointers, O(n log n) (Fredman, "On computing the length of longest
/// increasing subsequences", 1975), a run at a time: where its first number goes, the others follow.
private func longestIncreasingSubsequence(of runs: Span<PairedRun>, in home: Int32) -> [Bool] {
    if isIncreasing(runs, in: home) { return runs.indices.map { runs[$0].targetSection == home } }
    let count = runs.indices.reduce(0) { $0 + (runs[$1].targetSection == home ? Int(runs[$1].count) : 0) }
    var isMember = Array(repeating: false, count: runs.count)
    // Not arrays: most of so long ones would be cleared, and never be used.
    withUnsafeTemporaryAllocation(of: Link.self, capacity: runs.count) { links in
        let length = withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { tops in
            place(runs, in: home, tops, links)
        }
        var index = Int(link(runs, in: home, length: length, links))
        while index >= 0 {
            isMember[index] = true
            index = Int(links[index].previous)
        }
    }
    return isMember
}

/// A run as the end of a subsequence.
///
/// Those that end subsequences of one length are a queue, as long as they may be gone on from: their numbers
/// decrease, and so do their members.
private struct Link {
    /// How many numbers it goes on from.
    var place: Int32
    /// The run that it goes on from.
    var previous: Int32 = -1
    /// How many runs the subsequence has.
    var memberCount: Int32 = 1
    /// Its neighbours in the queue.
    var before: Int32 = -1
    var after: Int32 = -1
    /// The first of the queue, where this is the last.
    var first: Int32 = -1
}

/// Finds how many numbers each run goes on from. All are found before any is linked: the processor does not know which
/// way linking goes, and would wait for it with each search.
///
/// - Parameter tops: where the least is put that k + 1 increasing numbers end with.
/// - Returns: the length of a longest increasing subsequence.
private func place(
    _ runs: Span<PairedRun>, in home: Int32, _ tops: UnsafeMutableBufferPointer<Int32>,
    _ links: UnsafeMutableBufferPointer<Link>
) -> Int {
    var length = 0
    // Mostly it goes on where it went on before. One that is out of order does not change that, two do.
    var usual = 0
    var other = 0
    for index in runs.indices where runs[index].targetSection == home {
        let run = runs[index]
        let count = Int(run.count)
        var place = usual
        if !continues(run.target, tops, length, at: usual) {
            let isOther = continues(run.target, tops, length, at: other)
            place = isOther ? other : placeOf(run.target, tops, length)
            if isOther { usual = other }
            other = place + count
        }
        if place == usual { usual += count }
        for offset in 0..<count { tops[place + offset] = run.target &+ Int32(truncatingIfNeeded: offset) }
        links[index] = Link(place: Int32(truncatingIfNeeded: place))
        length = max(length, place + count)
    }
    return length
}

/// - Returns: the run that ends a longest increasing subsequence with the most runs.
private func link(
    _ runs: Span<PairedRun>, in home: Int32, length: Int, _ links: UnsafeMutableBufferPointer<Link>
) -> Int32 {
    // For k + 1 increasing numbers, the last run that ends them.
    var lasts: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: length)
    var ends = lasts.mutableSpan
    for index in runs.indices where runs[index].targetSection == home {
        let place = Int(links[index].place)
        // A run is only ever gone on from at its end: where it was overwritten, what did so is less.
        if place > 0 { goOn(with: index, of: runs, from: Int(ends[place - 1]), links) }
        put(index, into: &ends[place + Int(runs[index].count) - 1], links)
    }
    return links[Int(ends[length - 1])].first
}

/// Has a run follow the one with the most members among those that are less.
///
/// What goes on from there decreases, as all numbers of one length do. So those that are not less now never
/// will be again, and are passed once.
private func goOn(
    with index: Int, of runs: Span<PairedRun>, from last: Int, _ links: UnsafeMutableBufferPointer<Link>
) {
    var previous = Int(links[last].first)
    if previous != last {
        while runs[previous].lastTarget > runs[index].target { previous = Int(links[previous].after) }
        links[previous].before = -1
        links[last].first = Int32(truncatingIfNeeded: previous)
    }
    links[index].previous = Int32(truncatingIfNeeded: previous)
    links[index].memberCount = links[previous].memberCount + 1
}

/// Has a run be one that is gone on from, rather than those with no more members: it is less.
private func put(_ index: Int, into last: inout Int32, _ links: UnsafeMutableBufferPointer<Link>) {
    let run = Int32(truncatingIfNeeded: index)
    var before = last
    while before >= 0 && links[Int(before)].memberCount <= links[index].memberCount { before = links[Int(before)].before }
    if before >= 0 {
        links[Int(before)].after = run
        links[index].before = before
        links[index].first = links[Int(last)].first
    } else {
        links[index].first = run
    }
    last = run
}

/// Whether `place` numbers go on with this one, and no more of them do.
private func continues(_ number: Int32, _ tops: UnsafeMutableBufferPointer<Int32>, _ length: Int, at place: Int) -> Bool {
    (place == 0 || tops[place - 1] < number) && (place == length || tops[place] > number)
}

/// How many of the first `length` tops, which ascend, are less than `number`: without branches, which would be
/// mispredicted at each step, and by quarters, as three tops are read in the time of one.
private func placeOf(_ number: Int32, _ tops: UnsafeMutableBufferPointer<Int32>, _ length: Int) -> Int {
    // The sign bit of the difference of two places: of a comparison the compiler makes a branch.
    func isLess(_ index: Int) -> Int { Int(UInt32(bitPattern: tops[index] &- number) >> 31) }
    var low = 0
    var count = length
    while count > 3 {
        let quarter = count / 4
        let lessCount = isLess(low &+ quarter &- 1) &+ isLess(low &+ 2 &* quarter &- 1) &+ isLess(low &+ 3 &* quarter &- 1)
        low &+= quarter &* lessCount
        count &-= 3 &* quarter
    }
    return (low..<low + count).reduce(low) { $0 &+ isLess($1) }
}

private func isIncreasing(_ runs: Span<PairedRun>, in home: Int32) -> Bool {
    var last: Int32 = -1
    for index in runs.indices where runs[index].targetSection == home {
        if runs[index].target <= last { return false }
        last = runs[index].target
    }
    return true
}
