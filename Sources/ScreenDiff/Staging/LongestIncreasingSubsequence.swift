/// Finds the members of a sequence of distinct numbers, none negative or the greatest that there is, that form a longest
/// increasing subsequence.
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
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: runs.count) { places in
        let length = withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 2) { tops in
            place(runs, in: home, tops, places)
        }
        withUnsafeTemporaryAllocation(of: Link.self, capacity: runs.count) { links in
            var index = Int(link(runs, in: home, places, length: length, links))
            while index >= 0 {
                isMember[index] = true
                index = Int(links[index].previous)
            }
        }
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

/// Finds how many numbers each run goes on from. All are found before any is linked: the processor does not know which
/// way linking goes, and would wait for it with each search.
///
/// - Parameter tops: where the least is put that k increasing numbers end with, between what is less and what is more
///   than any.
/// - Returns: the length of a longest increasing subsequence.
private func place(
    _ runs: Span<PairedRun>, in home: Int32, _ tops: UnsafeMutableBufferPointer<Int32>,
    _ places: UnsafeMutableBufferPointer<Int32>
) -> Int {
    withUnsafeTemporaryAllocation(of: Search.self, capacity: searchedAhead) { searches in
        var length = 0
        (tops[0], tops[1]) = (-1, .max)
        // Mostly it goes on where it went on before. One that is out of order does not change that, two do.
        var usual = 0
        var other = 0
        // The runs that were searched for last.
        var searched = 0..<0
        for index in runs.indices where runs[index].targetSection == home {
            let run = runs[index]
            let count = Int(run.count)
            var place = usual
            if !continues(run.target, tops, at: usual) {
                let isOther = continues(run.target, tops, at: other)
                if !isOther && index >= searched.upperBound {
                    // Where two in a row are out of order, or one right behind those that were, so are probably those that follow.
                    let isInARow = index == searched.upperBound
                    searched = index..<min(index + (isInARow ? searchedAhead : 1), runs.count)
                    search(for: runs.extracting(searched), among: tops, length, searches)
                }
                place = isOther ? other : searches[index - searched.lowerBound].place(now: tops)
                if isOther { usual = other }
                other = place + count
            }
            if place == usual { usual += count }
            // It moves the places of others by so much.
            if count > searchedAhead { searched = searched.lowerBound..<min(searched.upperBound, index + 1) }
            for offset in 0..<count { tops[place + 1 + offset] = run.target &+ Int32(truncatingIfNeeded: offset) }
            places[index] = Int32(truncatingIfNeeded: place)
            if place + count > length {
                length = place + count
                tops[length + 1] = .max
            }
        }
        return length
    }
}

/// - Returns: the run that ends a longest increasing subsequence with the most runs.
private func link(
    _ runs: Span<PairedRun>, in home: Int32, _ places: UnsafeMutableBufferPointer<Int32>, length: Int,
    _ links: UnsafeMutableBufferPointer<Link>
) -> Int32 {
    // For k + 1 increasing numbers, the last run that ends them.
    var lasts: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: length)
    var ends = lasts.mutableSpan
    for index in runs.indices where runs[index].targetSection == home {
        let place = Int(places[index])
        links[index] = Link()
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

/// Whether `place` numbers go on with this one, and no more of them do: in one comparison, as each by itself is anyone's
/// guess.
private func continues(_ number: Int32, _ tops: UnsafeMutableBufferPointer<Int32>, at place: Int) -> Bool {
    (tops[place] &- number) & (number &- tops[place + 1]) < 0
}

/// How many runs are searched for at once, and no more than so many numbers may any of them have but the last.
private let searchedAhead = 8

/// A number, and how many tops are less.
private struct Search {
    let number: Int32
    var place: Int32 = 0

    /// Tops only become smaller, and there only come to be more: it goes there or, seldom, a few places further on.
    func place(now tops: UnsafeMutableBufferPointer<Int32>) -> Int {
        var place = Int(place)
        while tops[place + 1] < number { place += 1 }
        return place
    }
}

/// Finds for each run how many of the `length` tops, which ascend, are less than its number: without branches, which
/// would be mispredicted at each step, and by quarters, as three tops are read in the time of one. Several at once, as one
/// search alone waits for each top that it reads.
private func search(
    for runs: Span<PairedRun>, among tops: UnsafeMutableBufferPointer<Int32>, _ length: Int,
    _ searches: UnsafeMutableBufferPointer<Search>
) {
    // The sign bit of the difference of two places: of a comparison the compiler makes a branch.
    func isLess(_ index: Int32, _ number: Int32) -> Int32 {
        Int32(bitPattern: UInt32(bitPattern: tops[Int(index)] &- number) >> 31)
    }
    for index in runs.indices { searches[index] = Search(number: runs[index].target) }
    var count = Int32(truncatingIfNeeded: length)
    while count > 3 {
        let quarter = count / 4
        for index in runs.indices {
            let (number, low) = (searches[index].number, searches[index].place)
            let lessCount = isLess(low &+ quarter, number) &+ isLess(low &+ 2 &* quarter, number)
                &+ isLess(low &+ 3 &* quarter, number)
            searches[index].place = low &+ quarter &* lessCount
        }
        count &-= 3 &* quarter
    }
    for index in runs.indices {
        let (number, low) = (searches[index].number, searches[index].place)
        searches[index].place = (low + 1..<low + 1 + count).reduce(low) { $0 &+ isLess($1, number) }
    }
}

private func isIncreasing(_ runs: Span<PairedRun>, in home: Int32) -> Bool {
    var last: Int32 = -1
    for index in runs.indices where runs[index].targetSection == home {
        if runs[index].target <= last { return false }
        last = runs[index].target
    }
    return true
}
