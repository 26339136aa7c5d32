import ScreenService
import TemporaryDatabase
import Testing

@testable import ExampleRecords

extension StoreTests {
    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func theExampleContractsAreStored(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            let contracts = try Examples.contracts
            let read = try await store.read { store in
                try contracts.map { try store.contract($0.number) }
            }
            #expect(read == contracts)
            #expect(try await store.read { try $0.contract("240189") } == nil)
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func contractsAreListedInTheOrderOfTheirNumbers(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            try await store.write { try $0.insertContract(.some("100000-000")) }
            let names = try await store.read { try $0.contractNames() }
            #expect(names.map(\.number) == names.map(\.number).sorted())
            #expect(names.first == ContractName(number: "100000-000", name: "AVOINE"))
            #expect(try names.count == Examples.contracts.count + 1)
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func insertingAContractAnnouncesItsTopicAndTheListOfContracts(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            try await store.write { try $0.insertContract(.some("1")) }
            #expect(try await store.read { try $0.contract("1") } == .some("1"))
            #expect(announcements.commits == [["contract/1", "contracts"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func theListOfContractsIsAnnouncedOnlyIfANameChanges(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            let number = "240189-000"
            for change: @Sendable (inout Contract) -> Void in [
                { _ in }, { $0.status = .paid }, { $0.name = "ORGE" },
            ] {
                try await store.write { store in
                    var contract = try #require(try store.contract(number))
                    change(&contract)
                    try store.replaceContract(contract)
                }
            }
            let contract = try await store.read { try $0.contract(number) }
            #expect(contract?.status == .paid)
            #expect(contract?.name == "ORGE")
            #expect(try await store.read { try $0.deliveries(ofContract: number).count } == 3)
            #expect(announcements.commits == [["contract/240189-000"], ["contract/240189-000", "contracts"]])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func anExistingContractCannotBeInsertedAndAMissingContractCannotBeReplaced(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: DeliveriesStoreError.contractExists(number: "240189-000")) {
                try await store.write { try $0.insertContract(.some("240189-000")) }
            }
            await #expect(throws: DeliveriesStoreError.noContract(number: "1")) {
                try await store.write { try $0.replaceContract(.some("1")) }
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<DeliveriesTransaction>.all)
    func readingAContractRecordsItsTopicEvenIfTheContractIsMissing(engine: Engine<DeliveriesTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            #expect(try await store.topics { _ = try $0.contract("240189-000") } == ["contract/240189-000"])
            #expect(try await store.topics { _ = try $0.contract("none") } == ["contract/none"])
            #expect(try await store.topics { _ = try $0.contractNames() } == ["contracts"])
        }
    }
}

extension Contract {
    static func some(_ number: String) -> Contract {
        Contract(
            number: number,
            name: "AVOINE",
            date: CalendarDay("2018-02-28")!,
            status: .agreed,
            contractedWeight: Weight(kilograms: 1),
            window: CalendarDay("2018-03-01")!...CalendarDay("2018-03-01")!
        )
    }
}
