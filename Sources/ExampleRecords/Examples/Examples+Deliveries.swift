import ScreenService

extension Examples {
    /// Contracts in several states: the one with which the `deliveries` screen opens is all
    /// delivered, the others have room.
    public static let contracts = [
        orgePlanet,
        Contract(
            number: "240233-000",
            name: "BLÉ TENDRE RUBISKO",
            date: day(2018, 6, 4),
            status: .agreed,
            contractedWeight: Weight(kilograms: 120_000),
            window: day(2018, 8, 1)...day(2018, 9, 30)
        ),
        Contract(
            number: "240311-000",
            name: "COLZA ARCHITECT",
            date: day(2018, 6, 21),
            status: .running,
            contractedWeight: Weight(kilograms: 90_000),
            window: day(2018, 7, 9)...day(2018, 8, 17)
        ),
        Contract(
            number: "240402-000",
            name: "POIS ASTRONAUTE",
            date: day(2018, 3, 13),
            status: .paid,
            contractedWeight: Weight(kilograms: 60_000),
            window: day(2018, 6, 25)...day(2018, 7, 31)
        ),
        large,
    ]

    static let orgePlanet = Contract(
        number: "240189-000",
        name: "ORGE PLANET",
        date: day(2018, 5, 16),
        status: .discounted,
        contractedWeight: Weight(kilograms: 30_000),
        window: day(2018, 7, 1)...day(2018, 8, 31)
    )

    /// The contract that shows how a long list fares.
    static let large = Contract(
        number: "240500-000",
        name: "BLÉ TENDRE CHEVIGNON",
        date: day(2018, 4, 24),
        status: .running,
        contractedWeight: Weight(kilograms: 60_000_000),
        window: day(2018, 7, 16)...day(2018, 9, 13)
    )

    static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay {
        CalendarDay(year: year, month: month, day: day)!
    }
}

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
