/// The number and size of the receipts of one hour.
public struct ReceiptHolding: Hashable, Sendable {
    /// The hour in which the actions were performed, as the number of hours since 1970.
    public let hour: Int64
    public internal(set) var count: Int
    /// The approximate size of the receipts in the store, in bytes.
    public internal(set) var bytes: Int

    public init(hour: Int64, count: Int, bytes: Int) {
        self.hour = hour
        self.count = count
        self.bytes = bytes
    }
}

/// The number and size of receipts that have not expired. The receipts of an hour expire together, up to an hour late.
struct ReceiptHours {
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

    /// Subtracts receipts that were added before. Does nothing if the receipts have expired.
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

    /// The time at which the oldest receipts expire, in seconds since 1970, or `nil` if there are no receipts.
    var firstExpiry: Int64? { holdings.first.map { Self.expiry(of: $0.hour) } }

    private static func expiry(of hour: Int64) -> Int64 {
        (hour + 1) * 3600 + ActionReceipt.lifetime
    }
}
