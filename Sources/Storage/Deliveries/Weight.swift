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

extension Weight: AdditiveArithmetic {
    public static let zero = Weight(kilograms: 0)

    public static func + (left: Weight, right: Weight) -> Weight {
        Weight(kilograms: left.kilograms + right.kilograms)
    }

    public static func - (left: Weight, right: Weight) -> Weight {
        Weight(kilograms: left.kilograms - right.kilograms)
    }
}
