import ScreenService
import Testing

@testable import ExampleRecords

@Suite("Example data") struct ExamplesTests {
    @Test func theFirstContractIsDeliveredInFullOnOneDay() throws {
        let deliveries = try Examples.deliveries.filter { $0.contract == "240189-000" }
        #expect(deliveries.map(\.id) == ["7534-1", "7556-1", "7561-1"])
        #expect(deliveries.map { $0.weighedWeight?.kilograms } == [10_766, 14_353, 4_881])
        #expect(deliveries.allSatisfy { $0.day.description == "2018-07-12" })
        #expect(deliveries.reduce(.zero) { $0 + $1.scheduledWeight } == Weight(kilograms: 30_000))
    }

    @Test(arguments: try Examples.contracts)
    func deliveriesStayWithinTheWeightAndTheWindowOfTheirContract(contract: Contract) throws {
        let deliveries = try Examples.deliveries.filter { $0.contract == contract.number }
        #expect(deliveries.reduce(.zero) { $0 + $1.scheduledWeight } <= contract.contractedWeight)
        #expect(deliveries.reduce(.zero) { $0 + ($1.weighedWeight ?? .zero) } <= contract.contractedWeight)
        #expect(deliveries.allSatisfy { contract.window.contains($0.day) && $0.scheduledWeight > .zero })
        #expect(contract.date < contract.window.lowerBound)
    }

    @Test func theContractWithManyDeliveriesHasDeliveriesOnEveryDayOfItsWindow() throws {
        let contract = try #require(try Examples.contracts.first { $0.number == "240500-000" })
        let deliveries = try Examples.deliveries.filter { $0.contract == contract.number }
        let days = Set(deliveries.map(\.day))
        #expect(deliveries.count == 2000 && days.count == 60)
        #expect(days.min() == contract.window.lowerBound && days.max() == contract.window.upperBound)
    }

    @Test func theExamplePostsAreNumberedAndDistinct() throws {
        let posts = try Examples.posts
        #expect(posts.map(\.id) == Array(1...120))
        #expect(Set(posts.map(\.title)).count == 120 && Set(posts.map(\.body)).count == 120)
        #expect(posts.allSatisfy { !$0.title.isEmpty && $0.title.count <= 80 && $0.body.count >= 80 })
        #expect(posts.map(\.userID) == (0..<120).map { $0 / 10 + 1 })
    }

    @Test func mountainsHaveDistinctIDsOfLowercaseLettersDigitsAndHyphens() throws {
        let mountains = try Examples.mountains
        #expect(mountains.count >= 150)
        #expect(Set(mountains.map(\.id)).count == mountains.count && Set(mountains.map(\.name)).count == mountains.count)
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        #expect(mountains.allSatisfy { letters.isSuperset(of: $0.id) && !$0.name.isEmpty })
    }

    @Test func mountainsHavePlausibleHeightsAndSortedCountryCodes() throws {
        let mountains = try Examples.mountains
        #expect(mountains.allSatisfy { (300...8849).contains($0.metres) })
        #expect(mountains.filter { $0.metres > 8000 }.count == 14)
        for mountain in mountains {
            #expect(!mountain.countries.isEmpty && mountain.countries == mountain.countries.sorted())
            #expect(mountain.countries.allSatisfy { $0.utf8.count == 2 })
        }
        let montBlanc = Mountain(
            id: "mont-blanc", name: "Mont Blanc", metres: 4806, range: TranslatedText(english: "Alps", french: "Alpes"),
            countries: ["FR", "IT"]
        )
        #expect(mountains.first == montBlanc)
        #expect(mountains.first { $0.id == "kilimanjaro" }?.range == nil)
    }

    @Test func theAlbumsOfTheArtistAreSortedByYearAndTheirTracksAreNumbered() throws {
        let (albums, tracks) = try (Examples.albums, Examples.tracks)
        #expect(albums.count >= 8)
        #expect(albums.map(\.year) == albums.map(\.year).sorted())
        #expect(albums.contains { $0.isNew && !$0.isExplicit } && albums.contains { $0.isExplicit && !$0.isNew })
        for album in albums {
            let tracks = tracks.filter { $0.album == album.id }
            #expect(tracks.map(\.number) == Array(1...tracks.count) && (4...8).contains(tracks.count))
            #expect(tracks.allSatisfy { (120...600).contains($0.seconds) && $0.plays > 0 && !$0.title.isEmpty })
        }
    }
}
