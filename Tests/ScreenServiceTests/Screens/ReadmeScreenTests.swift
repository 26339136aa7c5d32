import Foundation
import ScreenModel
import ScreenService
import Testing

@Suite struct TheScreenOfTheReadme {
    @Test func itStandsInTheReadmeAsItStandsHere() throws {
        let here = URL(filePath: #filePath)
        let readme = here.deletingLastPathComponent().appending(path: "../../../README.md").standardized
        let ours = try String(contentsOf: here, encoding: .utf8)
        let code = try #require(try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```swift\n").last)
        let screen = try #require(code.components(separatedBy: "```").first?.components(separatedBy: "import ScreenService\n").last)
        #expect(ours.contains(screen))
    }

    @Test func itIsServed() async throws {
        let cache = ViewCache(byteLimit: 1 << 20)
        let history = try await History(store: InMemoryHistory(), bounds: HistoryBounds(), logger: .silent, now: { 1000 })
        let service = ScreenService(
            catalog: try ScreenCatalog([Planets()]), hash: .fixed, cache: cache, history: history, logger: .silent
        )
        let view = try service.catalog.view(of: "planets", parameters: [("limit", "5")], locale: .french, user: "anna")
        let document = try await service.snapshot(of: view).text
        #expect(document.contains(#""title":"Planètes","sections":[{"id":"inner","cells":[{"id":"Mercury","type":"planet","name":"Mercury"}"#))
        #expect(document.contains(#"{"id":"outer","cells":[{"id":"Jupiter","type":"planet","name":"Jupiter"}]}"#))
    }
}

struct Planets: Screen {
    static let name = "planets"
    static let limit = Parameter.integer("limit", in: 1...8, default: 8, "How many planets to show.")

    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [limit]

    func title(in locale: ScreenLocale) -> String { locale == .french ? "Planètes" : "Planets" }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, PlanetCell>> {
        let names = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]
        return ScreenContent(
            title: title(in: request.locale),
            model: TableViewModel(entities: ["inner", "outer"]) { region in
                TableViewSection(id: region) {
                    for name in names.prefix(request[Self.limit]) where PlanetCell(name: name).region == region {
                        PlanetCell(name: name)
                    }
                }
            }
        )
    }
}

struct PlanetCell: CellContent {
    let name: String

    var id: String { name }
    var region: String { ["Mercury", "Venus", "Earth", "Mars"].contains(name) ? "inner" : "outer" }

    func writeFields(to content: inout some ContentWriter) {
        content.field("name", name)
    }
}
