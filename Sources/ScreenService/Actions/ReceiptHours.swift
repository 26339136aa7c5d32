/// Receipts that are stored, by the hour in which their actions were performed.
public struct ReceiptHolding: Hashable, Sendable {
    /// The seconds since 1970, divided by 3600.
    public let hour: Int64
    public internal(set) var count: Int
    /// The bytes that they take in the store, about.
    public internal(set) var bytes: Int

    public init(hour: Int64, count: Int, bytes: Int) {
        self.hour = hour
        self.count = count
        self.bytes = bytes
    }
}

/// A sum of receipts that shrinks as they expire, a whole hour at a time: a receipt counts for up to an hour longer than it is kept.
struct ReceiptHours {
    /// In the order of the hours.
    private var holdings: [ReceiptHolding] = []
    private(set) var count = 0
    private(set) var bytes = 0

    init() {}

    init(_ holdings: [ReceiptHolding]) {
        for holding in holdings.sorted(by: { $0.hour < $1.hour }) { add(holding) }
    }

    mutating func add(_ holding: ReceiptHolding) {
        let place = holdings.lastIndex { $0.hour <= holding.hour }
        if let place, holdings[place].hour == holding.hour {
            holdings[place].count += holding.count
            holdings[place].bytes += holding.bytes
        } else {
            holdings.insert(holding, at: place.map { $0 + 1 } ?? 0)
        }
        count += holding.count
        bytes += holding.bytes
    }

    /// Takes back what was added, as far as it is still counted.
    mutating func remove(_ holding: ReceiptHolding) {
        guard let place = holdings.firstIndex(where: { $0.hour == holding.hour }) else { return }
        let removed = (count: min(holding.count, holdings[place].count), bytes: min(holding.bytes, holdings[place].bytes))
        holdings[place].count -= removed.count
        holdings[place].bytes -= removed.bytes
        count -= removed.count
        bytes -= removed.bytes
        if holdings[place].count == 0 { bytes -= holdings.remove(at: place).bytes }
    }

    mutating func expire(at now: Int64) {
        while let first = holdings.first, Self.expiry(of: first.hour) <= now {
            count -= first.count
            bytes -= first.bytes
            holdings.removeFirst()
        }
    }

    /// The time at which the oldest hour expires, in seconds since 1970; nil where there is none.
    var firstExpiry: Int64? { holdings.first.map { Self.expiry(of: $0.hour) } }

    private static func expiry(of hour: Int64) -> Int64 {
        (hour + 1) * 3600 + ActionReceipt.lifetime
    }
}
