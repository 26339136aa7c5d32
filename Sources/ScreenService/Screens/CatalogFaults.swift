import ScreenWire

/// The programming errors in a list of screens.
public struct CatalogFaults: Error, Hashable {
    public let faults: [Fault]

    /// A programming error in a list of screens.
    public enum Fault: Hashable, Sendable {
        /// The name of a screen has characters other than lowercase letters, digits and hyphens, or is empty.
        case invalidName(String)
        case repeatedName(String)
        case invalidRevisions(screen: String, ClosedRange<Int>)
        /// The screen is computed for each user, but gives access to anonymous callers.
        case invalidAccess(screen: String)
        case repeatedParameter(screen: String, String)
        case reservedParameter(screen: String, String)
        /// The name of an action has characters other than letters, digits and hyphens, or is empty.
        case invalidAction(screen: String, String)
        case repeatedAction(screen: String, String)
        /// The handler of the action is for a screen of another type.
        case foreignAction(screen: String, String)
        case repeatedField(screen: String, action: String, String)
        case noLocale
        /// Two locales have this language, so clients could request only one of them.
        case repeatedLanguage(String)
    }
}

extension CatalogFaults: CustomStringConvertible {
    /// A sentence that names all faults.
    public var description: String {
        "The screens cannot be served: " + faults.map(\.description).joined(separator: "; ") + "."
    }
}

extension CatalogFaults.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidName(let name): "the name \(name.quoted) of a screen must consist of lowercase letters, digits and hyphens"
        case .repeatedName(let name): "two screens have the name \(name.quoted)"
        case .invalidRevisions(let screen, let revisions):
            "the revisions of \(screen.quoted) must begin at 1 or later, not at \(revisions.lowerBound)"
        case .invalidAccess(let screen): "\(screen.quoted) is computed for each user, so its access cannot be everyone"
        case .repeatedParameter(let screen, let name): "\(screen.quoted) has two parameters with the name \(name.quoted)"
        case .reservedParameter(let screen, let name):
            "\(screen.quoted) has a parameter \(name.quoted), which is a reserved name"
        case .invalidAction(let screen, let name):
            "the name \(name.quoted) of an action of \(screen.quoted) must consist of letters, digits and hyphens"
        case .repeatedAction(let screen, let name): "\(screen.quoted) has two actions with the name \(name.quoted)"
        case .foreignAction(let screen, let name):
            "the handler of the action \(name.quoted) of \(screen.quoted) is for another screen"
        case .repeatedField(let screen, let action, let name):
            "the action \(action.quoted) of \(screen.quoted) has two fields with the name \(name.quoted)"
        case .noLocale: "there are no locales"
        case .repeatedLanguage(let language): "two locales have the language \(language.quoted)"
        }
    }
}

extension ScreenCatalog {
    static func faults(of served: [ServedScreen]) -> [CatalogFaults.Fault] {
        var names: Set<String> = []
        return served.flatMap { served in
            let name = served.name
            var faults: [CatalogFaults.Fault] = []
            if !isValid(name) { faults.append(.invalidName(name)) }
            if !names.insert(name).inserted { faults.append(.repeatedName(name)) }
            if served.revisions.lowerBound < 1 { faults.append(.invalidRevisions(screen: name, served.revisions)) }
            if served.visibility == .user, served.access == .everyone { faults.append(.invalidAccess(screen: name)) }
            return faults + parameterFaults(of: served.screen, name) + actionFaults(of: served)
        }
    }

    static func faults(of locales: [ScreenLocale]) -> [CatalogFaults.Fault] {
        if locales.isEmpty { return [.noLocale] }
        var languages: Set<String> = []
        return locales.map { $0.language.lowercased() }.filter { !languages.insert($0).inserted }.map { .repeatedLanguage($0) }
    }

    private static func parameterFaults(of screen: any Screen, _ name: String) -> [CatalogFaults.Fault] {
        var seen: Set<String> = []
        return screen.parameters.compactMap { parameter in
            if ProtocolParameter(rawValue: parameter.name) != nil { return .reservedParameter(screen: name, parameter.name) }
            return seen.insert(parameter.name).inserted ? nil : .repeatedParameter(screen: name, parameter.name)
        }
    }

    private static func actionFaults(of served: ServedScreen) -> [CatalogFaults.Fault] {
        let name = served.name
        var seen: Set<String> = []
        return served.actions.flatMap { action in
            var faults: [CatalogFaults.Fault] = []
            if !isValid(action.name.lowercased()) { faults.append(.invalidAction(screen: name, action.name)) }
            if !seen.insert(action.name).inserted { faults.append(.repeatedAction(screen: name, action.name)) }
            if let owner = action.owner, owner != type(of: served.screen) { faults.append(.foreignAction(screen: name, action.name)) }
            var fields: Set<String> = []
            for field in action.fields where !fields.insert(field.name).inserted {
                faults.append(.repeatedField(screen: name, action: action.name, field.name))
            }
            return faults
        }
    }

    private static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { character in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || character == UInt8(ascii: "-")
            }
    }
}
