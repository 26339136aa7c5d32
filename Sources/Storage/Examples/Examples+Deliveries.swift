extension Examples {
    /// The deliveries of ``contracts``.
    public static let deliveries = smallContracts + largeContract

    private static let smallContracts = [
        weighed("7534-1", orgePlanet.number, day(2018, 7, 12), scheduled: 10_766, weighed: 10_766),
        weighed("7556-1", orgePlanet.number, day(2018, 7, 12), scheduled: 14_353, weighed: 14_353),
        weighed("7561-1", orgePlanet.number, day(2018, 7, 12), scheduled: 4_881, weighed: 4_881),

        weighed("7512-1", "240311-000", day(2018, 7, 10), scheduled: 27_000, weighed: 26_420),
        weighed("7548-1", "240311-000", day(2018, 7, 11), scheduled: 27_000, weighed: 27_180),
        scheduled("7559-1", "240311-000", day(2018, 7, 19), 12_500),

        weighed("7403-1", "240402-000", day(2018, 6, 26), scheduled: 28_000, weighed: 27_640),
        weighed("7417-1", "240402-000", day(2018, 6, 28), scheduled: 28_000, weighed: 28_080),
    ]

    /// 2,000 lorries on 60 days, 33 or 34 a day, the first half of the days weighed. Weighbridges
    /// show steps of 20 kg; the factors only scatter the weights.
    private static let largeContract = (0..<2000).map { index in
        let dayIndex = index * 60 / 2000
        let scheduledWeight = 24_000 + index * 7919 % 290 * 20
        let difference = index * 104_729 % 31 * 20 - 300
        return Delivery(
            id: "\(5001 + index)-1",
            contract: large.number,
            day: large.window.lowerBound.advanced(by: dayIndex)!,
            scheduledWeight: Weight(kilograms: scheduledWeight),
            weighedWeight: dayIndex < 30 ? Weight(kilograms: scheduledWeight + difference) : nil
        )
    }

    private static func weighed(
        _ id: String,
        _ contract: String,
        _ day: CalendarDay,
        scheduled: Int,
        weighed: Int
    ) -> Delivery {
        Delivery(
            id: id,
            contract: contract,
            day: day,
            scheduledWeight: Weight(kilograms: scheduled),
            weighedWeight: Weight(kilograms: weighed)
        )
    }

    private static func scheduled(_ id: String, _ contract: String, _ day: CalendarDay, _ weight: Int) -> Delivery {
        Delivery(id: id, contract: contract, day: day, scheduledWeight: Weight(kilograms: weight))
    }
}
