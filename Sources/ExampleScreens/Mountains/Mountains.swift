public import ExampleRecords
import ScreenModel
public import ScreenService

/// A screen that searches mountains by name, range or country. The id of a cell is the id of its mountain, so clients only insert and
/// delete cells when a user types another letter.
struct Mountains: Screen {
    typealias Model = TableViewModel<AnyView, MountainCell>

    /// The property that the list is sorted by.
    enum Order: String, CaseIterable {
        case name, height
    }

    static let name = "mountains"
    static var viewTypes: [any ViewContent.Type]? { [CountHeader.self, EmptyFooter.self] }
    static let query = Parameter.text(
        "q", title: Text("Search", fr: "Rechercher"),
        Text(
            "A part of the name, the range or the country. Case and accents are ignored.",
            fr: "Une partie du nom, du massif ou du pays, sans égard à la casse ni aux accents."
        )
    )
    .format(.search).example("mont")
    static let sort = Parameter.choice(
        "sort", title: Text("Order", fr: "Ordre"), default: Order.name,
        Text("By name, or the highest first.", fr: "Par nom, ou les plus hauts d’abord."),
        titles: [Text("Name", fr: "Nom"), Text("Height", fr: "Altitude")]
    )
    static var example: ScreenExample? { ScreenExample(source: #filePath) }

    let title = Text("Mountains", fr: "Montagnes")
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [query, sort]
    let store: Store<MountainsTransaction>

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let mountains = try await store.read { try $0.mountains() }
        let search = MountainSearch(query: request[Self.query], order: request[Self.sort])
        return ScreenContent(
            title: title.in(request.locale),
            model: Self.model(of: search, in: mountains, request.locale)
        )
    }

    static func model(of search: MountainSearch, in mountains: [Mountain], _ locale: ScreenLocale) -> Model {
        let texts = MountainsTexts(locale: locale)
        let found = search.found(in: mountains, texts)
        let header = CountHeader(text: texts.count(found.count, outOf: mountains.count))
        let footer = found.isEmpty && search.isNarrowing ? EmptyFooter(text: texts.nothing(for: search.query)) : nil
        return Model(
            section: Model.Section(
                id: "mountains", header: AnyView(header), footer: footer.map { AnyView($0) }, entities: found
            ) {
                MountainCell($0, texts)
            }
        )
    }
}

extension ExampleScreens {
    /// Creates the screen that searches mountains.
    public static func mountains(store: Store<MountainsTransaction>) -> any Screen {
        Mountains(store: store)
    }
}
