/// Finds the members of a sequence of distinct numbers that form a longest increasing subsequence.
///
/// These members stay in place while all others move, so their number decides how few moves suffice.
///
/// - Parameter kept: the index of a number that shall be a member if that costs none.
/// - Returns: for each number, whether it is a member.
func longestIncreasingSubsequence(of numbers: [Int32], keeping kept: Int?) -> [Bool] {
    let runs = numbers.indices.map { index in
        PairedRun(source: Int32(truncatingIfNeeded: index), target: numbers[index], count: 1, targetSection: 0)
    }
    return longestIncreasingSubsequence(of: runs, keeping: kept)
}

/// The same for the targets of runs, of which each stands for `count` numbers that increase by one.
/// What has one of them has all: no other number lies between. Of several longest ones it is one with the most
/// runs, so that the fewest move.
///
/// - Parameter kept: the index of a run.
func longestIncreasingSubsequence(of runs: [PairedRun], keeping kept: Int?) -> [Bool] {
    let longest = longestIncreasingSubsequence(of: runs)
    guard let kept, !longest[kept] else { return longest }
    // Those that can be members together with it. It is in every longest subsequence of them, since
    // it could be added to any other.
    let companions = runs.indices.filter { index in
        index == kept || (index < kept) == (runs[index].target < runs[kept].target)
    }
    let members = longestIncreasingSubsequence(of: companions.map { runs[$0] })
    var isMember = Array(repeating: false, count: runs.count)
    for (companion, member) in zip(companions, members) { isMember[companion] = member }
    return length(runs, isMember) == length(runs, longest) ? isMember : longest
}

private func length(_ runs: [PairedRun], _ isMember: [Bool]) -> Int {
    zip(runs, isMember).reduce(0) { $1.1 ? $0 + Int($1.0.count) : $0 }
}

/// Patience sorting with back-pointers, O(n log n) (Fredman, "On computing the length of longest
/// increasing subsequences", 1975), a run at a time: where its first number goes, the others follow.
private func longestIncreasingSubsequence(of runs: [PairedRun]) -> [Bool] {
    if isIncreasing(runs) { return Array(repeating: true, count: runs.count) }
    let count = runs.reduce(0) { $0 + Int($1.count) }
    // For k + 1 increasing numbers, the least that they end with, and the last run that ends them.
    var tops = ContiguousArray(repeating: Int32(0), count: count)
    var ends = ContiguousArray(repeating: Int32(-1), count: count)
    var links = ContiguousArray(repeating: Link(), count: runs.count)
    let length = pile(runs, tops: &tops, ends: &ends, links: &links)
    var isMember = Array(repeating: false, count: runs.count)
    var index = Int(links[Int(ends[length - 1])].first)
    while index >= 0 {
        isMember[index] = true
        index = Int(links[index].previous)
    }
    return isMember
}

/// A run as the end of a subsequence.
///
/// Those that end subsequences of one length are a queue, as long as they may be gone on from: their numbers
/// decrease, and so do their members.
private struct Link {
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

/// - Returns: the length of a longest increasing subsequence.
private func pile(
    _ runs: [PairedRun], tops: inout ContiguousArray<Int32>, ends: inout ContiguousArray<Int32>,
    links: inout ContiguousArray<Link>
) -> Int {
    var tops = tops.mutableSpan
    var ends = ends.mutableSpan
    var links = links.mutableSpan
    var length = 0
    // Mostly it goes on where it went on before. One that is out of order does not change that, two do.
    var usual = 0
    var other = 0
    for (index, run) in runs.enumerated() {
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
        // A run is only ever gone on from at its end: where it was overwritten, what did so is less.
        if place > 0 { goOn(with: index, of: runs, from: Int(ends[place - 1]), &links) }
        put(index, into: &ends[place + count - 1], &links)
        length = max(length, place + count)
    }
    return length
}

/// Has a run follow the one with the most members among those that are less.
///
/// What goes on from there decreases, as all numbers of one length do. So those that are not less now never
/// will be again, and are passed once.
private func goOn(with index: Int, of runs: [PairedRun], from last: Int, _ links: inout MutableSpan<Link>) {
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
private func put(_ index: Int, into last: inout Int32, _ links: inout MutableSpan<Link>) {
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
private func continues(_ number: Int32, _ tops: borrowing MutableSpan<Int32>, _ length: Int, at place: Int) -> Bool {
    (place == 0 || tops[place - 1] < number) && (place == length || tops[place] > number)
}

/// How many of the first `length` of `tops`, which ascend, are less than `number`: without branches,
/// which would be mispredicted at each step.
private func placeOf(_ number: Int32, _ tops: borrowing MutableSpan<Int32>, _ length: Int) -> Int {
    var low = 0
    var count = length
    while count > 0 {
        let half = count / 2
        let isLess = tops[low + half] < number
        low = isLess ? low + half + 1 : low
        count = isLess ? count - half - 1 : half
    }
    return low
}

private func isIncreasing(_ runs: [PairedRun]) -> Bool {
    for index in runs.indices.dropFirst() where runs[index].target <= runs[index - 1].target { return false }
    return true
}
