import Foundation
import ScreenModel
import ScreenWire

/// The screens of a server. The catalog returns the view for each request.
public struct ScreenCatalog: Sendable {
    /// The languages of the screens, beginning with the default language.
    public let locales: [ScreenLocale]
    let served: [ServedScreen]
    let byName: [String: ServedScreen]

    /// Creates a catalog, or throws ``CatalogFaults`` with all faults of the screens and locales.
    public init(_ screens: [any Screen], locales: [ScreenLocale] = [.english]) throws(CatalogFaults) {
        self.locales = locales
        served = screens.map(ServedScreen.init)
        byName = Dictionary(served.map { ($0.name, $0) }) { first, _ in first }
        let faults = Self.faults(of: locales) + Self.faults(of: served)
        if !faults.isEmpty { throw CatalogFaults(faults: faults) }
    }

    /// The names of all screens, in the order of the catalog.
    public var names: [String] { served.map(\.name) }

    /// Returns a Boolean value that indicates whether there is a screen with this name.
    package func hasScreen(named name: String) -> Bool { byName[name] != nil }

    /// Returns the Swift source of an example screen, or `nil` if there is none. Throws ``ViewFault`` if the caller has no access.
    public func source(of name: String, for caller: Caller) throws(ViewFault) -> [UInt8]? {
        try byName[name].map { served throws(ViewFault) in try self.served(served.name, to: caller).source } ?? nil
    }

    func screen(of view: ScreenView) -> (any Screen)? {
        byName[view.screen]?.screen
    }

    /// Returns a Boolean value that indicates whether callers of a view's screen may perform different actions.
    func hasRestrictedActions(_ view: ScreenView) -> Bool {
        byName[view.screen]?.restrictedActions.isEmpty == false
    }

    func screen(named name: String) -> (any Screen)? {
        byName[name]?.screen
    }

    /// Returns the parameters of a screen, or none if there is no such screen.
    package func parameters(of name: String) -> [any ParameterDeclaring] {
        byName[name]?.screen.parameters ?? []
    }

    /// Returns the view for a request.
    ///
    /// - Parameters:
    ///   - parameters: The decoded query parameters, without the parameters of the protocol.
    ///   - revision: The text of the query parameter `revision`, or `nil` for the oldest revision.
    /// - Throws: ``ViewFault`` if the screen does not exist, if the caller has no access, or if parameters are invalid. The error contains
    ///   all faults of the parameters.
    public func view(
        of name: String, parameters: [(name: String, value: String)], revision: String? = nil, locale: ScreenLocale, caller: Caller
    ) throws(ViewFault) -> ScreenView {
        try viewAndTraits(of: name, parameters: parameters, revision: revision, locale: locale, caller: caller).view
    }

    /// Returns the view for a request, and two traits of its responses. The screen is looked up only once for both.
    package func viewAndTraits(
        of name: String, parameters: [(name: String, value: String)], revision: String?, locale: ScreenLocale, caller: Caller
    ) throws(ViewFault) -> (view: ScreenView, traits: ResponseTraits) {
        let served = try served(name, to: caller)
        guard let audience = served.visibility.audience(of: caller) else { throw .needsUser(screen: name) }
        let revision = served.revision(revision)
        var faults = revision == nil ? [ParameterFault(revisionNotIn: served.revisions)] : []
        let arguments = parameters.isEmpty ? [] : Self.arguments(parameters, of: served.screen.parameters, &faults)
        guard let revision, faults.isEmpty else { throw .parameters(faults) }
        let view = ScreenView(
            screen: name, audience: audience, revision: revision, locale: locale, parameters: arguments,
            withheldActions: served.withheldActions(from: caller)
        )
        let isShared = audience == .everyone && served.access == .everyone && (served.restrictedActions.isEmpty || caller.user == nil)
        return (view, ResponseTraits(isShared: isShared, isCompressible: served.isCompressible))
    }

    /// Returns the screen with a name, or throws ``ViewFault`` if it does not exist or the caller has no access.
    private func served(_ name: String, to caller: Caller) throws(ViewFault) -> ServedScreen {
        guard let served = byName[name] else { throw .unknownScreen(name, known: offering(to: caller).screens.map(\.name)) }
        switch served.access.refusal(of: caller) {
        case nil: return served
        case .needsUser: throw .needsUser(screen: name)
        case .forbidden: throw .forbidden(screen: name)
        }
    }

    /// Returns an action and its screen, or throws ``ViewFault`` or ``ActionFault`` if the caller may not perform the action.
    func action(_ name: String, of view: ScreenView, for caller: Caller) throws -> (action: Action, screen: any Screen) {
        let served = try served(view.screen, to: caller)
        guard let action = served.actions.first(where: { ExactText($0.name) == ExactText(name) }) else {
            throw ActionFault.unknownAction(name, screen: view.screen, known: served.actions(for: caller).map(\.name))
        }
        switch action.access?.refusal(of: caller) {
        case nil: return (action, served.screen)
        case .needsUser: throw ActionFault.needsUser(action.name, screen: view.screen)
        case .forbidden: throw ActionFault.forbidden(action.name, screen: view.screen)
        }
    }

    /// Returns the maximum total number of characters of the texts in an action's input. The server derives the maximum size of the
    /// request's body from this number, so it can reject a longer body without receiving all of it.
    package func textLength(ofAction name: String, of view: ScreenView, for caller: Caller) throws -> Int {
        try action(name, of: view, for: caller).action.fields.reduce(0) { length, field in
            guard case .text(let limit, _) = field.type else { return length }
            return length + min(limit, 1 << 30)
        }
    }

    private static func arguments(
        _ parameters: [(name: String, value: String)], of declared: [any ParameterDeclaring], _ faults: inout [ParameterFault]
    ) -> [ScreenView.Argument] {
        var arguments: [ScreenView.Argument] = []
        var seen: Set<ExactText> = []
        for (name, value) in parameters {
            // Most requests have only one parameter. For these requests, the check for repeated names is skipped.
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
        return arguments.count > 1 ? arguments.sorted { $0.name < $1.name } : arguments
    }
}

/// The properties of a request for a view that determine whether its responses may be shared and compressed.
package struct ResponseTraits: Sendable {
    /// A Boolean value that indicates whether shared caches may send responses to other callers. All callers have access to the screen, and
    /// they get the same content. If not all callers may perform the same actions, the caller is anonymous.
    package let isShared: Bool
    /// A Boolean value that indicates whether documents of the view may be compressed.
    package let isCompressible: Bool
}

/// The names of the screens and actions that a caller may use.
package struct Offering: Hashable, Sendable {
    package struct Screen: Hashable, Sendable {
        package let name: String
        package let actions: [String]
    }

    package let screens: [Screen]
    /// The methods and paths of the routes of a team that the caller may use.
    package var routes: [String] = []
}

extension ScreenCatalog {
    package func offering(to caller: Caller) -> Offering {
        let offered = served.filter { $0.access.admits(caller) }
        return Offering(screens: offered.map { .init(name: $0.name, actions: $0.actions(for: caller).map(\.name)) })
    }

    /// Returns the screens and actions that an offering names. If `offering` is `nil`, returns all screens and actions.
    func offered(_ offering: Offering?) -> [(ServedScreen, [Action])] {
        guard let offering else { return served.map { ($0, $0.actions) } }
        return offering.screens.compactMap { offered in
            byName[offered.name].map { served in (served, served.actions.filter { offered.actions.contains($0.name) }) }
        }
    }

    package func described(_ offering: Offering) -> [(screen: any Screen, actions: [Action], hasSource: Bool)] {
        offered(offering).map { ($0.screen, $1, $0.source != nil) }
    }
}

/// A screen of a catalog, and the values of those properties that are read only once, when the catalog is created.
final class ServedScreen: Sendable {
    let screen: any Screen
    let name: String
    let visibility: Visibility
    let access: Access
    let revisions: ClosedRange<Int>
    let isCompressible: Bool
    let actions: [Action]
    /// The actions that not all callers of the screen may perform.
    let restrictedActions: [Action]
    let example: ScreenExample?
    /// The Swift source of an example screen, or `nil` if the source file is no longer at the path at which it was compiled.
    let source: [UInt8]?

    init(_ screen: any Screen) {
        self.screen = screen
        name = type(of: screen).name
        visibility = screen.visibility
        access = screen.access
        revisions = type(of: screen).revisions
        isCompressible = screen.isCompressible
        actions = screen.actions
        restrictedActions = actions.filter { [access] in $0.access != nil && $0.access != access }
        example = type(of: screen).example
        source = (example?.source).flatMap(Self.source(at:))
    }

    private static let largestSource = 256 << 10

    private static func source(at path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= largestSource else { return nil }
        return Array(data)
    }

    /// Returns the names of the actions that the caller may not perform, although the caller may use the screen.
    func withheldActions(from caller: Caller) -> [String] {
        restrictedActions.filter { $0.access?.admits(caller) == false }.map(\.name)
    }

    func actions(for caller: Caller) -> [Action] {
        actions.filter { $0.access?.admits(caller) != false }
    }

    /// Returns the revision that a query parameter states, or `nil` if the screen does not serve it.
    func revision(_ text: String?) -> Int? {
        guard let text else { return revisions.lowerBound }
        return Int(text).flatMap { revisions.contains($0) ? $0 : nil }
    }
}

extension Visibility {
    /// Returns the audience for a caller, or `nil` if the screen needs a user and the caller is anonymous.
    fileprivate func audience(of caller: Caller) -> Audience? {
        switch self {
        case .everyone: .everyone
        case .user: caller.user.map(Audience.user)
        }
    }
}

/// The reason why a request for a view is rejected.
public enum ViewFault: Error, Hashable {
    /// There is no such screen. `known` lists the screens that the caller may use.
    case unknownScreen(String, known: [String])
    /// The screen needs a user, but the caller is anonymous.
    case needsUser(screen: String)
    /// The claims of the user do not give access to the screen.
    case forbidden(screen: String)
    /// Query parameters are invalid.
    case parameters([ParameterFault])
}

/// A fault of a query parameter.
public struct ParameterFault: Hashable, Sendable {
    public let name: String
    public let cause: Cause

    /// The reason why a query parameter is invalid.
    public enum Cause: Hashable, Sendable {
        /// The parameter is not percent-encoded UTF-8.
        case undecodable
        /// The screen does not have the parameter. `known` lists the parameters that it has.
        case unknown(known: [String])
        /// The requested path is not the path of a screen, and allows only the parameters in `taken`.
        case notAccepted(taken: [ProtocolParameter])
        /// The query has the parameter more than once.
        case repeated
        /// The protocol defines this parameter, but does not allow it in this kind of request for a screen.
        case notSupportedHere
        /// The language is not available. `known` lists the available languages.
        case unknownLanguage(known: [String])
        /// The value does not have the type of the parameter.
        case malformed(ValueType)
        /// The revision is not in the range that the screen serves.
        case unservedRevision(served: ClosedRange<Int>)
    }

    public init(name: String, cause: Cause) {
        self.name = name
        self.cause = cause
    }

    init(revisionNotIn served: ClosedRange<Int>) {
        self.init(name: ProtocolParameter.revision.rawValue, cause: .unservedRevision(served: served))
    }
}
