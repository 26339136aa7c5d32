import Foundation
import ScreenModel
import ScreenWire

/// The screens that are served. It turns what a request says into a view.
public struct ScreenCatalog: Sendable {
    /// The languages that the screens speak. The first counts when a client states no preference.
    public let locales: [ScreenLocale]
    let served: [ServedScreen]
    let byName: [String: ServedScreen]

    /// - Throws: every fault of the screens at once.
    public init(_ screens: [any Screen], locales: [ScreenLocale] = [.english]) throws(CatalogFaults) {
        self.locales = locales
        served = screens.map(ServedScreen.init)
        byName = Dictionary(served.map { ($0.name, $0) }) { first, _ in first }
        let faults = Self.faults(of: locales) + Self.faults(of: served)
        if !faults.isEmpty { throw CatalogFaults(faults: faults) }
    }

    /// The names of all screens, in their order.
    public var names: [String] { served.map(\.name) }

    /// The Swift that defines an example screen; nil where it is none, or the file is not there.
    ///
    /// - Throws: that the caller may not have the screen.
    public func source(of name: String, for caller: Caller) throws(ViewFault) -> [UInt8]? {
        try byName[name].map { served throws(ViewFault) in try self.served(served.name, to: caller).source } ?? nil
    }

    func screen(of view: ScreenView) -> (any Screen)? {
        byName[view.screen]?.screen
    }

    func screen(named name: String) -> (any Screen)? {
        byName[name]?.screen
    }

    /// Whether anybody may be shown the same as whoever asks for a view.
    package func isShared(_ view: ScreenView) -> Bool {
        view.audience == .everyone && byName[view.screen]?.access == .everyone
    }

    /// What a screen can be asked for; nothing where there is no such screen.
    package func parameters(of name: String) -> [any ParameterDeclaring] {
        byName[name]?.screen.parameters ?? []
    }

    /// The view that a request asks for.
    ///
    /// - Parameters:
    ///   - parameters: of the query string, decoded, without those of the protocol.
    ///   - revision: as the query string says it; nil for the oldest, as apps ask that were built before there were two.
    ///   - caller: who asks.
    /// - Throws: that the caller may not have it, or all faults of the parameters at once.
    public func view(
        of name: String, parameters: [(name: String, value: String)], revision: String? = nil, locale: ScreenLocale, caller: Caller
    ) throws(ViewFault) -> ScreenView {
        let served = try served(name, to: caller)
        guard let audience = served.visibility.audience(of: caller) else { throw .needsUser(screen: name) }
        let meant = served.revision(revision)
        var faults = meant == nil ? [ParameterFault(revisionNotIn: served.revisions)] : []
        let arguments = parameters.isEmpty ? [] : Self.arguments(parameters, of: served.screen.parameters, &faults)
        guard let meant, faults.isEmpty else { throw .parameters(faults) }
        return ScreenView(screen: name, audience: audience, revision: meant, locale: locale, parameters: arguments)
    }

    /// The screen of a name.
    ///
    /// - Throws: that there is none, or that it is not for this caller.
    private func served(_ name: String, to caller: Caller) throws(ViewFault) -> ServedScreen {
        guard let served = byName[name] else { throw .unknownScreen(name, known: offering(to: caller).screens.map(\.name)) }
        switch served.access.refusal(of: caller) {
        case nil: return served
        case .needsUser: throw .needsUser(screen: name)
        case .forbidden: throw .forbidden(screen: name)
        }
    }

    /// An action of a view's screen, and the screen.
    ///
    /// - Throws: that there is none, or that it or its screen is not for this caller.
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

    /// Returns the number of characters that the texts of an action's input may have together, for a request whose input has not
    /// come yet.
    ///
    /// - Throws: what ``action(_:of:for:)`` throws.
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
        return arguments.count > 1 ? arguments.sorted { $0.name < $1.name } : arguments
    }
}

/// A screen that is served, with what it is asked for once.
final class ServedScreen: Sendable {
    let screen: any Screen
    let name: String
    let visibility: Visibility
    let access: Access
    let revisions: ClosedRange<Int>
    let actions: [Action]
    let example: ScreenExample?
    /// The Swift that defines an example, where the file is still where it was built.
    let source: [UInt8]?

    init(_ screen: any Screen) {
        self.screen = screen
        name = type(of: screen).name
        visibility = screen.visibility
        access = screen.access
        revisions = type(of: screen).revisions
        actions = screen.actions
        example = type(of: screen).example
        source = (example?.source).flatMap(Self.source(at:))
    }

    /// More than this is no screen.
    private static let largestSource = 256 << 10

    /// The bytes of a file; nil where it is not there, or is too large.
    private static func source(at path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= largestSource else { return nil }
        return Array(data)
    }

    /// What a caller who may have the screen may have done there.
    func actions(for caller: Caller) -> [Action] {
        actions.filter { $0.access?.refusal(of: caller) == nil }
    }

    /// The revision that a text means; nil where that is none which is served.
    func revision(_ text: String?) -> Int? {
        guard let text else { return revisions.lowerBound }
        return Int(text).flatMap { revisions.contains($0) ? $0 : nil }
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
    /// It is for users, and nobody known asks.
    case needsUser(screen: String)
    /// It is for users of whom more is known than of the one who asks.
    case forbidden(screen: String)
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
        /// It is no revision that the screen serves: these.
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
