import ScreenModel
import ScreenService

/// What is served, in the words of OpenAPI 3.1: each route for each screen and action, as their answers differ.
struct Description {
    private let routes: [Route]
    private let screens: [DescribedScreen]
    private let locales: [ScreenLocale]
    private let takesTokens: Bool

    /// - Parameters:
    ///   - offering: what is described.
    ///   - takesTokens: whether what a request says of who asks is looked at.
    init(of routes: [Route], _ catalog: ScreenCatalog, _ offering: Offering, takesTokens: Bool) {
        self.routes = routes
        self.takesTokens = takesTokens
        locales = catalog.locales
        var screens: [DescribedScreen] = []
        for (screen, actions) in catalog.described(offering) {
            let described = DescribedScreen(screen, actions, in: catalog.locales[0]) { prefix in
                !screens.contains { $0.prefix == prefix }
            }
            screens.append(described)
        }
        self.screens = screens
    }

    /// The document, in UTF-8.
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

    /// What the field `Authorization` is called in descriptions.
    static let tokenScheme = "token"
    private static let tokenSchemes: Schema = [tokenScheme: ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]]

    private var info: Schema {
        let open = screens.filter { $0.cellTypes == nil || $0.viewTypes == nil }.map(\.name).joined(separator: ", ")
        let openness = open.isEmpty ? [] : ["Of these screens it is not known what cells or views they show: \(open)."]
        let words = [
            "List screens that are computed on the server: a snapshot, and what changed since.",
            "Schemas say each member that there is, unless they say that there may be others.",
            "Clients ignore members that they do not know.",
            "`Accept: text/event-stream` has changes go on as a stream of events, whose data are changes; JSON is preferred where both have one weight.",
            "Other methods than those of a path are a \(Problem.Kind.methodNotAllowed.type).",
        ]
        return [
            "title": "Screens", "version": "1", "summary": "Snapshots of list screens and what changed in them.",
            "description": .string((words + openness).joined(separator: " ")),
        ]
    }

    static let serviceTag = "service"

    private var tags: [Schema] {
        let ofScreens = screens.map { ["name": .string($0.name), "description": .string($0.title)] as Schema }
        return ofScreens + [["name": .string(Self.serviceTag), "description": "What is the same for all screens."]]
    }

    private func paths(_ components: inout Components) -> [(String, Schema)] {
        var paths: [(String, Schema)] = []
        for route in routes {
            for place in places(of: route.path) {
                var item: [(String, Schema)] = []
                for operation in route.operations {
                    let described = DescribedOperation(
                        operation, at: place, languages: locales.map(\.language), takesTokens: takesTokens
                    )
                    item.append((operation.method.key, described.document(&components)))
                }
                paths.append((place.path, .object(OrderedFields(item))))
            }
        }
        return paths
    }

    /// What a pattern stands for: one place for each screen, or for each action of each.
    private func places(of pattern: PathPattern) -> [DescribedPlace] {
        if pattern.parts.contains(.action) {
            return screens.flatMap { screen in
                screen.actions.map { DescribedPlace(pattern: pattern, screen: screen, action: $0) }
            }
        }
        if pattern.parts.contains(.screen) {
            return screens.map { DescribedPlace(pattern: pattern, screen: $0, action: nil) }
        }
        return [DescribedPlace(pattern: pattern, screen: nil, action: nil)]
    }
}

/// A path of the description, with the screen and the action that it is about.
struct DescribedPlace {
    let pattern: PathPattern
    let screen: DescribedScreen?
    let action: Action?

    /// Who may do it: all of these apply.
    var rules: [Access] { [screen?.access, action?.access].compactMap(\.self) }

    var path: String {
        let template = pattern.template.replacing("{screen}", with: screen?.name ?? "")
        return template.replacing("{action}", with: action?.name ?? "")
    }
}

extension Operation.Method {
    /// What a path calls it in the description.
    fileprivate var key: String {
        switch self {
        case .get: "get"
        case .post: "post"
        }
    }
}
