public import ScreenService

/// A lorry load that is delivered under a contract.
public struct Delivery: Hashable, Decodable, Sendable {
    /// The id, such as `7534-1`. It is unique among the deliveries of all contracts.
    public let id: String
    /// The number of the contract that the delivery belongs to.
    public var contract: String
    public var day: CalendarDay
    public var scheduledWeight: Weight
    /// The weight that the weighbridge measured, or `nil` if the delivery has not been weighed yet.
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

/// The sums over all deliveries of a contract.
public struct DeliveryTotals: Hashable, Sendable {
    /// The maximum weight that one delivery adds to a sum. It prevents overflows, because a database may hold any number.
    public static let limit = Weight(kilograms: 1_000_000_000_000)

    public var count: Int
    /// The sum of the scheduled weights of all deliveries, including weighed deliveries.
    public var scheduledWeight: Weight
    /// The sum of the measured weights of all weighed deliveries.
    public var weighedWeight: Weight
}

/// A weight of grain in whole kilograms, so that sums are exact.
public struct Weight: Hashable, Decodable, Sendable {
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

// The operators saturate instead of overflowing, because a database may hold any number.
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
