extension Range<Int> {
    /// Cuts these numbers into stretches and visits each, in their order.
    ///
    /// Where they are cut is noted without a branch, a block at a time: in a list that was much edited it
    /// is anyone's guess, and a processor that guesses wrong loses more than the noting costs.
    ///
    /// - Parameter isFirst: whether a number begins another stretch than the one before it.
    @inline(__always)
    func forEachStretch(isFirst: (Int) -> Bool, do body: (Range<Int>) -> Void) {
        guard !isEmpty else { return }
        var firsts = InlineArray<256, UInt8>(repeating: 0)
        var start = lowerBound
        var block = lowerBound + 1
        while block < upperBound {
            let size = Swift.min(firsts.count, upperBound - block)
            var count = 0
            for offset in 0..<size {
                firsts[count] = UInt8(truncatingIfNeeded: offset)
                count += isFirst(block + offset) ? 1 : 0
            }
            for index in 0..<count {
                let first = block + Int(firsts[index])
                body(start..<first)
                start = first
            }
            block += size
        }
        body(start..<upperBound)
    }
}
