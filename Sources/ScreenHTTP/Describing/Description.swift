import ScreenModel
import ScreenService
import ScreenWire

/// The OpenAPI 3.1 document of the API. It has a separate path for each screen and each action, because their responses differ.
struct Description {
    private let routes: [RouteEntry]
    private let screens: [DescribedScreen]
    private let locales: [ScreenLocale]
    private let takesTokens: Bool

    /// Creates the OpenAPI document of the routes, for the screens and actions in `offering`.
    init(of routes: [RouteEntry], _ catalog: ScreenCatalog, _ offering: Offering, takesTokens: Bool) {
        self.routes = routes
        self.takesTokens = takesTokens
        locales = catalog.locales
        var screens: [DescribedScreen] = []
        for (screen, actions, hasSource) in catalog.described(offering) {
            let described = DescribedScreen(screen, actions, hasSource: hasSource, in: catalog.locales[0]) { prefix in
                !screens.contains { $0.prefix == prefix }
            }
            screens.append(described)
        }
        self.screens = screens
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        document.write(to: &writer)
        return writer.bytes
    }

    var document: Schema {
        var components = Components()
        components.addShared(screens: screens, languages: locales.map(\.language))
        for screen in screens { components.addDocuments(of: screen) }
        let paths = paths(&components)
        let shared = takesTokens ? components.document.with("securitySchemes", Self.tokenSchemes) : components.document
        return [
            "openapi": "3.1.0", "info": info, "servers": [["url": "/"]], "tags": .array(tags),
            "paths": .object(OrderedFields(paths)), "components": shared,
        ]
    }

    static let tokenScheme = "token"
    private static let tokenSchemes: Schema = [tokenScheme: ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]]

    private var info: Schema {
        let open = screens.filter { $0.cellTypes == nil || $0.viewTypes == nil }.map(\.name).joined(separator: ", ")
        let openness = open.isEmpty ? [] : ["The types of cells or views of these screens are not declared: \(open)."]
        let words = [
            "List screens that are computed on the server: snapshots and their changes.",
            "Schemas are complete, unless they allow additional members.",
            "Clients ignore members that they do not know.",
            "With `Accept: text/event-stream` changes are a stream of events; with equal weights JSON is preferred.",
            "A method that a path does not support is a \(Problem.Kind.methodNotAllowed.type).",
        ]
        return [
            "title": "Screens", "version": "1", "summary": "Snapshots of list screens, and their changes.",
            "description": .string((words + openness).joined(separator: " ")),
        ]
    }

    static let serviceTag = "service"

    private var tags: [Schema] {
        let ofScreens = screens.map { ["name": .string($0.name), "description": .string($0.title)] as Schema }
        return ofScreens + [["name": .string(Self.serviceTag), "description": "Requests that are not about one screen."]]
    }

    private func paths(_ components: inout Components) -> [(String, Schema)] {
        var paths: [(String, Schema)] = []
        for route in routes {
            for place in places(of: route.path) {
                var item: [(String, Schema)] = []
                for operation in route.operations where operation.summary != nil {
                    let described = DescribedOperation(
                        operation: operation, place: place, languages: locales.map(\.language), takesTokens: takesTokens
                    )
                    item.append((operation.method.rawValue.lowercased(), described.document(&components)))
                }
                if !item.isEmpty { paths.append((place.path, .object(OrderedFields(item)))) }
            }
        }
        return paths
    }

    /// Returns the paths that match a pattern: one for each action, one for each screen, or only one.
    private func places(of pattern: PathPattern) -> [DescribedPlace] {
        if pattern.parts.contains(.action) {
            return screens.flatMap { screen in
                screen.actions.map { DescribedPlace(pattern: pattern, screen: screen, action: $0) }
            }
        }
        if pattern.parts.contains(.screen) {
            let described = pattern == .source ? screens.filter(\.hasSource) : screens
            return described.map { DescribedPlace(pattern: pattern, screen: $0, action: nil) }
        }
        return [DescribedPlace(pattern: pattern, screen: nil, action: nil)]
    }
}

/// A path of the OpenAPI document, with its screen and its action.
struct DescribedPlace {
    let pattern: PathPattern
    let screen: DescribedScreen?
    let action: Action?

    /// The access rules of the screen and the action. A caller must satisfy both rules.
    var rules: [Access] { [screen?.access, action?.access].compactMap(\.self) }

    var path: String {
        let template = pattern.template.replacing("{screen}", with: screen?.name ?? "")
        return template.replacing("{action}", with: action?.name ?? "")
    }
}

/// The properties of a screen that the OpenAPI document uses.
struct DescribedScreen {
    let name: String
    /// The text with which the names of the screen's schemas and operations begin.
    let prefix: String
    let title: String
    let access: Access
    let layout: String
    let revisions: ClosedRange<Int>
    /// The types of the screen's cells and views; nil if they are not declared.
    let cellTypes: [any ViewContent.Type]?
    let viewTypes: [any ViewContent.Type]?
    let parameters: [any ParameterDeclaring]
    let actions: [Action]
    /// A Boolean value that indicates whether clients can request the Swift source of the screen.
    let hasSource: Bool
    let locale: ScreenLocale

    /// Describes a screen with the given actions. `isFree` indicates whether a prefix is still unused by other screens.
    init<Described: Screen>(
        _ screen: Described, _ actions: [Action], hasSource: Bool, in locale: ScreenLocale, isFree: (_ prefix: String) -> Bool
    ) {
        name = Described.name
        // Screens named `a-1` and `a1` would both get the prefix `A1`.
        let words = Described.name.asComponentName
        prefix = isFree(words) ? words : (2...).lazy.map { "\(words)\($0)" }.first(where: isFree)!
        title = screen.title.in(locale)
        access = screen.access
        revisions = Described.revisions
        layout = Described.Model.layout.rawValue
        cellTypes = Described.shownCellTypes
        viewTypes = Described.shownViewTypes
        parameters = screen.parameters
        self.actions = actions
        self.hasSource = hasSource
        self.locale = locale
    }
}
