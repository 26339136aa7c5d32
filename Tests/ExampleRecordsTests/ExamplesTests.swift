import ExampleRecords
import ScreenService
import Testing

@Suite("The examples") struct ExamplesTests {
    @Test func theContractOfTheScreenIsDeliveredInFullOnOneDay() {
        let deliveries = Examples.deliveries.filter { $0.contract == "240189-000" }
        #expect(deliveries.map(\.id) == ["7534-1", "7556-1", "7561-1"])
        #expect(deliveries.map { $0.weighedWeight?.kilograms } == [10_766, 14_353, 4_881])
        #expect(deliveries.allSatisfy { $0.day.description == "2018-07-12" })
        let sum = deliveries.reduce(Weight.zero) { $0 + $1.scheduledWeight }
        #expect(sum == Weight(kilograms: 30_000))
    }

    @Test(arguments: Examples.contracts)
    func scheduledWeightsStayWithinTheContractAndItsWindow(contract: Contract) {
        let deliveries = Examples.deliveries.filter { $0.contract == contract.number }
        let scheduled = deliveries.reduce(Weight.zero) { $0 + $1.scheduledWeight }
        let weighed = deliveries.reduce(Weight.zero) { $0 + ($1.weighedWeight ?? .zero) }
        #expect(scheduled <= contract.contractedWeight)
        #expect(weighed <= contract.contractedWeight)
        #expect(deliveries.allSatisfy { contract.window.contains($0.day) })
        #expect(deliveries.allSatisfy { $0.scheduledWeight > .zero })
        #expect(contract.date < contract.window.lowerBound)
    }

    @Test func theLargeContractHasDeliveriesOnEveryDayOfItsWindow() {
        let contract = Examples.contracts.first { $0.number == "240500-000" }
        let deliveries = Examples.deliveries.filter { $0.contract == contract?.number }
        #expect(deliveries.count == 2000)
        #expect(Set(deliveries.map(\.day)).count == 60)
        #expect(deliveries.map(\.day).min() == contract?.window.lowerBound)
        #expect(deliveries.map(\.day).max() == contract?.window.upperBound)
    }

    @Test func idsOfDeliveriesAreUnique() {
        #expect(Set(Examples.deliveries.map(\.id)).count == Examples.deliveries.count)
    }

    @Test func the120PostsAreNumberedAndNoTwoReadTheSame() {
        let posts = Examples.posts
        #expect(posts.map(\.id) == Array(1...120))
        #expect(Set(posts.map(\.title)).count == 120)
        #expect(Set(posts.map(\.body)).count == 120)
        #expect(posts.allSatisfy { !$0.title.isEmpty && $0.title.count <= 80 && $0.body.count >= 80 })
        #expect(posts.first?.userID == 1)
        #expect(posts.last?.userID == 12)
    }

    @Test func mountainsHaveIDsThatAnAddressTakes() {
        let mountains = Examples.mountains
        #expect(mountains.count >= 150)
        #expect(Set(mountains.map(\.id)).count == mountains.count)
        #expect(Set(mountains.map(\.name)).count == mountains.count)
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        #expect(mountains.allSatisfy { letters.isSuperset(of: $0.id) && !$0.name.isEmpty })
    }

    @Test func mountainsAreOfThisEarthAndStandSomewhere() {
        let mountains = Examples.mountains
        #expect(mountains.allSatisfy { (300...8849).contains($0.metres) })
        #expect(mountains.filter { $0.metres > 8000 }.count == 14)
        for mountain in mountains {
            #expect(!mountain.countries.isEmpty && mountain.countries == mountain.countries.sorted())
            #expect(mountain.countries.allSatisfy { $0.utf8.count == 2 })
            #expect(mountain.range.map { !$0.english.isEmpty && !$0.french.isEmpty } ?? true)
        }
        #expect(mountains.first { $0.id == "mont-blanc" }?.range == TranslatedText(english: "Alps", french: "Alpes"))
        #expect(mountains.first { $0.id == "mont-blanc" }?.countries == ["FR", "IT"])
        #expect(mountains.first { $0.id == "saentis" }?.name == "Säntis")
        #expect(mountains.first { $0.id == "kilimanjaro" }?.range == nil)
    }

    @Test func theArtistHasAlbumsWithAFewTracksEach() {
        let albums = Examples.albums
        #expect(albums.count >= 8)
        #expect(Set(albums.map(\.id)).count == albums.count)
        #expect(albums.map(\.year) == albums.map(\.year).sorted())
        #expect(albums.contains { $0.isNew && !$0.isExplicit } && albums.contains { $0.isExplicit && !$0.isNew })
        for album in albums {
            let tracks = Examples.tracks.filter { $0.album == album.id }
            #expect(tracks.map(\.number) == Array(1...tracks.count))
            #expect((4...8).contains(tracks.count))
            #expect(tracks.allSatisfy { (120...600).contains($0.seconds) && $0.plays > 0 && !$0.title.isEmpty })
        }
        #expect(Examples.tracks.first { $0.title == "First Lock" }?.seconds == 222)
    }
}
