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
