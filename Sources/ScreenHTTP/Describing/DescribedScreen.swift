import ScreenModel
import ScreenService
import ScreenWire

/// A screen as its description needs it.
struct DescribedScreen {
    let name: String
    /// What the names of its schemas and operations begin with.
    let prefix: String
    let title: String
    let needsUser: Bool
    let layout: String
    /// Nil where any may come.
    let cellTypes: [any ViewContent.Type]?
    let viewTypes: [any ViewContent.Type]?
    let parameters: [any ParameterDeclaring]
    let actions: [Action]
    /// The language that counts when a client states none.
    let locale: ScreenLocale

    init<Described: Screen>(_ screen: Described, _ actions: [Action], in locale: ScreenLocale) {
        name = Described.name
        prefix = Described.name.capitalisedWords
        title = screen.title(in: locale)
        needsUser = screen.visibility == .user
        layout = Described.Model.layout.rawValue
        cellTypes = Self.variants(of: Described.cellTypes)
        viewTypes = Self.variants(of: Described.viewTypes)
        parameters = screen.parameters
        self.actions = actions
        self.locale = locale
    }

    /// Nil where one of the types may be any other.
    private static func variants(of types: [any ViewContent.Type]?) -> [any ViewContent.Type]? {
        guard let types else { return nil }
        var all: [any ViewContent.Type] = []
        for type in types {
            guard let variants = type.variants else { return nil }
            all += variants
        }
        return all
    }
}

extension String {
    /// Its words, which hyphens part, as one name: `invalid-body` is `InvalidBody`.
    var capitalisedWords: String {
        split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
