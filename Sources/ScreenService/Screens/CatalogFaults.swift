import ScreenWire

/// All that is wrong with the screens that a program lists: mistakes of its author.
public struct CatalogFaults: Error, Hashable {
    public let faults: [Fault]

    public enum Fault: Hashable, Sendable {
        /// The name has other characters than small letters, digits and hyphens, or none.
        case unfitName(String)
        case repeatedName(String)
        /// The oldest revision is less than 1.
        case unfitRevisions(screen: String, ClosedRange<Int>)
        /// Each user has their own, and it is to be for nobody known, too.
        case unfitAccess(screen: String)
        case repeatedParameter(screen: String, String)
        /// The parameter's name belongs to the protocol.
        case reservedParameter(screen: String, String)
        /// The name has other characters than letters, digits and hyphens, or none.
        case unfitAction(screen: String, String)
        case repeatedAction(screen: String, String)
        /// The action's handler takes a screen of another type.
        case foreignAction(screen: String, String)
        case repeatedField(screen: String, action: String, String)
        case noLocale
        /// Two locales have this language: clients could ask for one of them only.
        case repeatedLanguage(String)
    }
}

extension CatalogFaults: CustomStringConvertible {
    /// What is wrong and what to do about it, in English, for whoever starts the program.
    public var description: String {
        "The screens cannot be served: " + faults.map(\.description).joined(separator: "; ") + "."
    }
}

extension CatalogFaults.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unfitName(let name): "the name \(name.quoted) of a screen must be small letters, digits and hyphens"
        case .repeatedName(let name): "two screens have the name \(name.quoted)"
        case .unfitRevisions(let screen, let revisions):
            "the revisions of \(screen.quoted) must begin at 1 or later, not at \(revisions.lowerBound)"
        case .unfitAccess(let screen): "each user has a \(screen.quoted) of their own, so its access cannot be everyone"
        case .repeatedParameter(let screen, let name): "\(screen.quoted) has two parameters with the name \(name.quoted)"
        case .reservedParameter(let screen, let name):
            "\(screen.quoted) has a parameter \(name.quoted), a name that belongs to the protocol"
        case .unfitAction(let screen, let name):
            "the name \(name.quoted) of an action of \(screen.quoted) must be letters, digits and hyphens"
        case .repeatedAction(let screen, let name): "\(screen.quoted) has two actions with the name \(name.quoted)"
        case .foreignAction(let screen, let name):
            "the handler of the action \(name.quoted) takes another screen than \(screen.quoted)"
        case .repeatedField(let screen, let action, let name):
            "the action \(action.quoted) of \(screen.quoted) has two fields with the name \(name.quoted)"
        case .noLocale: "there is no language"
        case .repeatedLanguage(let language): "the language \(language.quoted) is there twice"
        }
    }
}

extension ScreenCatalog {
    static func faults(of served: [ServedScreen]) -> [CatalogFaults.Fault] {
        var names: Set<String> = []
        return served.flatMap { served in
            let name = served.name
            var faults: [CatalogFaults.Fault] = []
            if !isFit(name) { faults.append(.unfitName(name)) }
            if !names.insert(name).inserted { faults.append(.repeatedName(name)) }
            if served.revisions.lowerBound < 1 { faults.append(.unfitRevisions(screen: name, served.revisions)) }
            if served.visibility == .user, served.access == .everyone { faults.append(.unfitAccess(screen: name)) }
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
            if !isFit(action.name.lowercased()) { faults.append(.unfitAction(screen: name, action.name)) }
            if !seen.insert(action.name).inserted { faults.append(.repeatedAction(screen: name, action.name)) }
            if let owner = action.owner, owner != type(of: served.screen) { faults.append(.foreignAction(screen: name, action.name)) }
            var fields: Set<String> = []
            for field in action.fields where !fields.insert(field.name).inserted {
                faults.append(.repeatedField(screen: name, action: action.name, field.name))
            }
            return faults
        }
    }

    private static func isFit(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { character in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || character == UInt8(ascii: "-")
        }
    }
}
