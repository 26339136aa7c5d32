public import ScreenService

/// One lorry load of a contract.
public struct Delivery: Hashable, Sendable {
    /// Unique among the deliveries of all contracts, such as `7534-1`.
    public let id: String
    /// The number of the contract that it is part of.
    public var contract: String
    public var day: CalendarDay
    public var scheduledWeight: Weight
    /// What the weighbridge found; nil before it was weighed.
    public var weighedWeight: Weight?

    public init(
        id: String,
        contract: String,
        day: CalendarDay,
        scheduledWeight: Weight,
        weighedWeight: Weight? = nil
    ) {
        self.id = id
        self.contract = contract
        self.day = day
        self.scheduledWeight = scheduledWeight
        self.weighedWeight = weighedWeight
    }
}

/// The sums over all deliveries of a contract, whatever part of them is shown.
public struct DeliveryTotals: Hashable, Sendable {
    /// The most that one delivery counts for, so that no sum overflows: a database may hold any number.
    public static let limit = Weight(kilograms: 1_000_000_000_000)

    public var count: Int
    /// Of all deliveries, weighed or not.
    public var scheduledWeight: Weight
    /// What the weighbridge found, of the deliveries that were weighed.
    public var weighedWeight: Weight

    public init(count: Int, scheduledWeight: Weight, weighedWeight: Weight) {
        self.count = count
        self.scheduledWeight = scheduledWeight
        self.weighedWeight = weighedWeight
    }
}

/// A weight of grain in whole kilograms, so that sums are exact.
public struct Weight: Hashable, Sendable {
    public var kilograms: Int

    public init(kilograms: Int) {
        self.kilograms = kilograms
    }
}

extension Weight: Comparable {
    public static func < (left: Weight, right: Weight) -> Bool {
        left.kilograms < right.kilograms
    }
}

// Saturates instead of overflowing, as a database may hold any number.
extension Weight: AdditiveArithmetic {
    public static let zero = Weight(kilograms: 0)

    public static func + (left: Weight, right: Weight) -> Weight {
        let (sum, overflow) = left.kilograms.addingReportingOverflow(right.kilograms)
        return Weight(kilograms: overflow ? left.kilograms < 0 ? .min : .max : sum)
    }

    public static func - (left: Weight, right: Weight) -> Weight {
        let (difference, overflow) = left.kilograms.subtractingReportingOverflow(right.kilograms)
        return Weight(kilograms: overflow ? left.kilograms < 0 ? .min : .max : difference)
    }

    /// Returns a percentage of the weight, rounded towards zero.
    public func percent(_ percent: Int) -> Weight {
        let (product, overflow) = kilograms.multipliedReportingOverflow(by: percent)
        return Weight(kilograms: overflow ? (kilograms < 0) == (percent < 0) ? .max : .min : product / 100)
    }
}
