import ScreenModel
import ScreenService
import ScreenWire

// The schemas that all screens share.
extension Components {
    mutating func addShared(screens: [DescribedScreen], languages: [String]) {
        for screen in screens {
            for part in Self.namedParts { _ = unique(screen.prefix + part) }
        }
        let version = Schema.text.with("pattern", "^[a-z2-7]{26}$").with("description", "Identifies the content of a screen; opaque.")
        add("Version", version)
        let link = [Member("screen", .choice(screens.map(\.name))), Member("parameters?", schema(of: [String: String].self))]
        add("Link", .object(link))
        let fallback = Schema.orNull(.object([Member("type", .text)], isClosed: false))
        add(
            "Fallback",
            fallback.with(
                "description",
                "The replacement if the client does not know the type: a view of a type that all clients know, or null for nothing."))
        addListing(languages)
        addProblems()
    }

    private mutating func addListing(_ languages: [String]) {
        // The meaning of these members depends on `type`.
        let bounds = [
            Member("type", .text), Member("shape", .text), Member("limit?", .index), Member("choices?", .list(.text)),
            Member("minimum?", ["type": "number"]), Member("maximum?", ["type": "number"]),
        ]
        let shown = [Member("format?", .choice(TextFormat.allCases.map(\.rawValue))), Member("titles?", .list(.text))]
        let values = Schema.list(.object([Member("value", .text), Member("title?", .text)]))
        let parameter =
            [Member("name", .text), Member("title?", .text), Member("description", .text)] + bounds
            + shown + [Member("values?", values), Member("default?", .text)]
        let source = schema(of: FieldDeclaration.Source.self)
        let field =
            [Member("name", .text), Member("title", .text)] + bounds
            + shown + [Member("required", ["type": "boolean"]), Member("source", source)]
        let input = Schema.list(add("ListedField", .object(field)))
        let action = [Member("name", .text), Member("title?", .text), Member("description", .text), Member("input", input)]
        let screen = [
            Member("name", .text), Member("title", .text),
            Member("revisions", .object([Member("oldest", .index), Member("newest", .index)])),
            Member("parameters", .list(add("ListedParameter", .object(parameter)))),
            Member("actions", .list(add("ListedAction", .object(action)))),
            Member("example?", .object([Member("source?", .text), Member("restore?", .text)])),
        ]
        let screens = Schema.list(add("ListedScreen", .object(screen)))
        add("Screens", .object([Member("screens", screens), Member("locales", .list(.choice(languages)))]))
    }

    /// Adds a schema for each kind of problem. Each schema has the members that `ProblemDocument` declares.
    private mutating func addProblems() {
        let declared = members(of: DeclaredFields(of: ProblemDocument.self))
        for kind in Problem.Kind.allCases {
            let members = declared.map { member in
                var member = member
                switch member.key {
                case "type": member.schema = .constant(kind.type)
                case "title": member.schema = .constant(kind.title)
                case "outcome": member.schema = member.schema.with("description", "Present only in responses to actions.")
                case "status": member.schema = ["type": "integer", "const": .int(kind.status)]
                default: break
                }
                return member
            }
            add(kind.schemaName, .object(members))
        }
    }
}

extension Problem.Kind {
    var schemaName: String { "\(rawValue.asComponentName)Problem" }

    /// The header fields of a response with a problem of this kind.
    var fields: [ResponseField] {
        var fields: [ResponseField] = [.contentLanguage, .cacheControl, .vary, .requestID] + ResponseField.protective
        if self == .methodNotAllowed { fields.append(.allow) }
        if self == .unsupportedMediaType { fields.append(.acceptEncoding) }
        if [.unauthorized, .invalidToken, .forbidden].contains(self) { fields.append(.wwwAuthenticate) }
        if [.unavailable, .keyInProgress, .outcomeUnknown, .tooManyRequests].contains(self) { fields.append(.retryAfter) }
        return fields
    }
}
