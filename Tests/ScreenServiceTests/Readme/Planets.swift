import ScreenModel
import ScreenService

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

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("name", \.name)
    }
}
