import ScreenModel
import ScreenWire

/// The screens that are served. It turns what a request says into a view.
public struct ScreenCatalog: Sendable {
    /// The languages that the screens speak. The first counts when a client states no preference.
    public let locales: [ScreenLocale]
    private let screens: [any Screen]
    private let byName: [String: any Screen]
    /// Made once, by the name of their screen.
    private let actions: [String: [Action]]

    /// - Throws: every fault of the screens at once.
    public init(_ screens: [any Screen], locales: [ScreenLocale] = [.english, .french]) throws(CatalogFaults) {
        self.locales = locales
        self.screens = screens
        let actions = screens.map(\.actions)
        let names = screens.map { type(of: $0).name }
        byName = Dictionary(zip(names, screens)) { first, _ in first }
        self.actions = Dictionary(zip(names, actions)) { first, _ in first }
        let faults = Self.faults(of: locales) + Self.faults(of: screens, actions)
        if !faults.isEmpty { throw CatalogFaults(faults: faults) }
    }

    /// The names of all screens, in their order.
    public var names: [String] { screens.map { type(of: $0).name } }

    func screen(of view: ScreenView) -> (any Screen)? {
        byName[view.screen]
    }

    func actions(of view: ScreenView) -> [Action]? {
        actions[view.screen]
    }

    func screen(named name: String) -> (any Screen)? {
        byName[name]
    }

    /// What a screen can be asked for; nothing where there is no such screen.
    package func parameters(of name: String) -> [any ParameterDeclaring] {
        byName[name]?.parameters ?? []
    }

    /// The view that a request asks for.
    ///
    /// - Parameters:
    ///   - parameters: of the query string, decoded, without those of the protocol.
    ///   - caller: who asks.
    /// - Throws: all faults of the parameters at once.
    public func view(
        of name: String, parameters: [(name: String, value: String)], locale: ScreenLocale, caller: Caller
    ) throws(ViewFault) -> ScreenView {
        guard let screen = byName[name] else { throw .unknownScreen(name, known: names) }
        guard let audience = screen.visibility.audience(of: caller) else { throw .needsUser(screen: name) }
        if parameters.isEmpty { return ScreenView(screen: name, audience: audience, locale: locale, parameters: []) }
        let arguments = try Self.arguments(parameters, of: screen.parameters)
        return ScreenView(screen: name, audience: audience, locale: locale, parameters: arguments)
    }

    private static func arguments(
        _ parameters: [(name: String, value: String)], of declared: [any ParameterDeclaring]
    ) throws(ViewFault) -> [ScreenView.Argument] {
        var faults: [ParameterFault] = []
        var arguments: [ScreenView.Argument] = []
        var seen: Set<ExactText> = []
        for (name, value) in parameters {
            // Most requests have one parameter, which needs no set to be the only one of its name.
            if parameters.count > 1, !seen.insert(ExactText(name)).inserted {
                faults.append(ParameterFault(name: name, cause: .repeated))
            } else if let parameter = declared.first(where: { ExactText($0.name) == ExactText(name) }) {
                guard let canonical = parameter.canonical(value) else {
                    faults.append(ParameterFault(name: name, cause: .malformed(parameter.type)))
                    continue
                }
                if ExactText(canonical) != parameter.defaultText.map(ExactText.init) {
                    arguments.append(ScreenView.Argument(name: name, value: canonical))
                }
            } else {
                faults.append(ParameterFault(name: name, cause: .unknown(known: declared.map(\.name))))
            }
        }
        guard faults.isEmpty else { throw .parameters(faults) }
        return arguments.count > 1 ? arguments.sorted { $0.name < $1.name } : arguments
    }
}

extension Visibility {
    /// Whom it is computed for; nil where that is a user and nobody known asks.
    fileprivate func audience(of caller: Caller) -> Audience? {
        switch self {
        case .everyone: .everyone
        case .user: caller.user.map(Audience.user)
        }
    }
}

/// Why a request names no view.
public enum ViewFault: Error, Hashable {
    case unknownScreen(String, known: [String])
    /// Each user has their own, and nobody known asks.
    case needsUser(screen: String)
    /// All that is wrong with the query.
    case parameters([ParameterFault])
}

/// A fault of a parameter in a request's query.
public struct ParameterFault: Hashable, Sendable {
    public let name: String
    public let cause: Cause

    public enum Cause: Hashable, Sendable {
        /// It is not percent-encoded UTF-8.
        case undecodable
        /// The screen has these, and not this one.
        case unknown(known: [String])
        /// The request takes none but these of the protocol, and not this one.
        case untaken(taken: [ProtocolParameter])
        /// It stands in the query more than once.
        case repeated
        /// It belongs to the protocol, and means nothing in the query of this request.
        case misplaced
        /// It is a language that there is not among these.
        case unknownLanguage(known: [String])
        /// It must be one of these values.
        case malformed(ValueType)
    }

    public init(name: String, cause: Cause) {
        self.name = name
        self.cause = cause
    }
}

// The document of all screens.
extension ScreenCatalog {
    /// The document `{"screens":[…],"locales":[…]}` in a language, in UTF-8.
    public func document(in locale: ScreenLocale) -> [UInt8] {
        var writer = JSONWriter()
        let entries = screens.map { Entry(screen: $0, actions: actions[type(of: $0).name] ?? [], locale: locale) }
        Listing(screens: entries, locales: locales.map(\.language)).write(to: &writer)
        return writer.bytes
    }

    func listing(in locale: ScreenLocale, _ hash: ContentHash) -> Document {
        let bytes = document(in: locale)
        let version = hash.version(of: bytes).description
        return Document(.listing, bytes: bytes, version: version, locale: locale, growth: Growth())
    }

    private struct Listing: Content {
        let screens: [Entry]
        let locales: [String]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("screens", \.screens)
            field("locales", \.locales)
        }
    }

    private struct Entry: Content {
        let screen: any Screen
        let actions: [Action]
        let locale: ScreenLocale

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name") { type(of: $0.screen).name }
            field("title") { $0.screen.title(in: $0.locale) }
            field("parameters") { $0.screen.parameters.map(ParameterEntry.init) }
            field("actions") { entry in entry.actions.map { ActionEntry(action: $0, locale: entry.locale) } }
        }
    }

    private struct ActionEntry: ContentValue {
        let action: Action
        let locale: ScreenLocale

        func write(to writer: inout JSONWriter) {
            writer.writeObject { action.writeFields(to: &$0, in: locale) }
        }
    }

    private struct ParameterEntry: Content {
        let parameter: any ParameterDeclaring

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.parameter.name)
            field("description", \.parameter.summary)
            field.dynamic { $0.parameter.type.writeFields(to: &$1, in: .query) }
            field("default", \.parameter.defaultText)
        }
    }
}
