import ScreenModel
import ScreenService

/// An operation of the OpenAPI document, with the path that it belongs to.
struct DescribedOperation {
    let operation: Operation
    let place: DescribedPlace
    let languages: [String]
    let takesTokens: Bool

    func document(_ components: inout Components) -> Schema {
        let ofTrace = [RequestField.requestID, .traceparent].map { components.addParameter($0) }
        let parameters = pathParameters + queryParameters + operation.fields.map(\.parameter) + ofTrace
        return Schema.object(["operationId": .string(name(&components)), "summary": .string(summary)])
            .with("tags", [.string(place.screen?.name ?? Description.serviceTag)])
            .with("parameters", .array(parameters))
            .with("requestBody", body(&components))
            .with("responses", responses(&components))
            .with("security", security)
    }

    /// The security requirements of the operation. If everyone has access, the token is optional.
    private var security: Schema? {
        guard takesTokens, place.screen != nil || operation.access != nil else { return .none }
        let token: Schema = [Description.tokenScheme: []]
        return rules.allSatisfy { $0 == .everyone } ? [[:], token] : [token]
    }

    /// The access rules of the operation. A caller must satisfy all of them.
    private var rules: [Access] { place.rules + [operation.access].compactMap(\.self) }

    private func name(_ components: inout Components) -> String {
        let name = operation.name.replacing("{screen}", with: place.screen?.prefix ?? "")
        return components.unique(name.replacing("{action}", with: place.action?.name.asComponentName ?? ""))
    }

    private var summary: String {
        let summary = operation.summary ?? ""
        guard let screen = place.screen else { return summary }
        return place.action?.summary.in(.english) ?? "\(screen.title): \(summary)"
    }

    private var pathParameters: [Schema] {
        let named = place.pattern.names.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": .text] as Schema
        }
        guard place.pattern.parts.contains(.file) else { return named }
        return [
            [
                "name": "file", "in": "path", "required": true, "schema": .text, "example": "index.html",
                "description": "The path of a file.",
            ]
        ]
    }

    private var queryParameters: [Schema] {
        switch operation.query {
        case .ignored: []
        case .accepting(let taken): taken.map { $0.parameter(languages, nil) }
        case .ofScreen(let taken):
            (place.screen?.parameters.map(\.parameter) ?? []) + taken.map { $0.parameter(languages, place.screen?.revisions) }
        }
    }

    private func body(_ components: inout Components) -> Schema? {
        guard let purpose = operation.body else { return nil }
        if case .own(let type) = purpose { return ["content": [type: [:]]] }
        let (schema, example) =
            switch purpose {
            case .changes: (Self.changesBody, Self.sampleVersion as Schema?)
            case .action: actionBody(&components)
            case .own: ([:], nil)
            }
        return ["required": true, "content": ["application/json": Schema.object(["schema": schema]).with("example", example)]]
    }

    private static let changesBody = Schema.object([
        Member("version", Schema.text.with("description", "The version that the client holds."))
    ])
    private static let sampleVersion: Schema = ["version": "7qgwzwwvlqdelwrzpqwnkatwb4"]

    private func actionBody(_ components: inout Components) -> (Schema, example: Schema?) {
        guard let action = place.action, let screen = place.screen else { return ([:], nil) }
        let input = components.add("\(screen.prefix)\(action.name.asComponentName)Input", action.inputSchema(in: screen.locale))
        let isRequired = action.fields.contains(where: \.isRequired)
        let version = Schema.orNull(.text).with("description", "The version that the client holds, if any.")
        let members = [
            Member("version", version, isRequired: false),
            Member("input", isRequired ? input : .orNull(input), isRequired: isRequired),
        ]
        return (.object(members), action.sampleInput.map { ["input": $0] })
    }
}

extension Action {
    fileprivate func inputSchema(in locale: ScreenLocale) -> Schema {
        .object(
            fields.map { field in
                let schema = field.type.schema(in: .json)
                let formatted = field.format.flatMap(\.jsonSchema).map { schema.with("format", .string($0)) } ?? schema
                let described = (field.isRequired ? formatted : .orNull(formatted)).with("title", .string(field.title.in(locale)))
                    .with("description", .string("It must be \(field.type.shape(in: .json))."))
                return Member(field.name, described, isRequired: field.isRequired)
            })
    }

    /// An example of a valid input; nil if a required field has no example.
    fileprivate var sampleInput: Schema? {
        var input: OrderedFields<Schema> = [:]
        for field in fields {
            if let sample = field.example ?? field.type.sample {
                input[field.name] = sample
            } else if field.isRequired {
                return nil
            }
        }
        return .object(input)
    }
}

// The responses of the operation, both successful responses and problems, grouped by status.
extension DescribedOperation {
    /// The problems that the operation can respond with, except the problems of an unknown screen or action.
    private var problems: [Problem.Kind] {
        var problems = operation.problems.union(Operation.commonProblems).subtracting([.unknownScreen, .unknownAction])
        if rules.allSatisfy({ $0 == .everyone }) { problems.remove(.unauthorized) }
        if operation.access == nil, rules.allSatisfy({ [.everyone, .users].contains($0) }) { problems.remove(.forbidden) }
        if takesTokens { problems.insert(.invalidToken) }
        return Problem.Kind.allCases.filter(problems.contains)
    }

    func responses(_ components: inout Components) -> Schema {
        let problems = problems
        let statuses = Set(operation.successes.map(\.status) + problems.map(\.status)).sorted()
        var responses: [(String, Schema)] = []
        for status in statuses {
            let kinds = problems.filter { $0.status == status }
            guard let answer = operation.successes.first(where: { $0.status == status }) else {
                responses.append((String(status), reference(to: kinds, &components)))
                continue
            }
            let content = content(of: answer) + (kinds.isEmpty ? [] : [content(of: kinds)])
            // The header fields that all responses with this status have.
            let fields = answer.fields.filter { field in kinds.allSatisfy { $0.fields.contains(field) } }
            responses.append((String(status), Self.response(answer.summary, fields, content)))
        }
        responses.append(("414", components.addResponse("TargetTooLong") { Self.targetTooLong }))
        return .object(OrderedFields(responses))
    }

    /// The description of a response that the HTTP library sends itself, before the request reaches this code.
    private static let targetTooLong: Schema = [
        "description": "The target has more than about 8,000 bytes. The response is an HTML page, not a problem."
    ]

    private func content(of answer: Operation.Success) -> [(String, Schema)] {
        answer.types.map { type in
            let media = type == ScreenHandlers.eventStreamType ? Self.stream : schema(of: answer.content, as: type)
            return (type, media.map { ["schema": $0] } ?? [:])
        }
    }

    private static let stream =
        Schema.text.with(
            "description",
            """
            Events `changeset` and `snapshot`: the `id` is the version, the `data` the JSON document. Event `current`: the client has the \
            newest version, which is the `id`. Event `stale`: the client may miss changes until the next event.
            """
        ) as Schema?

    /// Returns the schema of a response body, or nil if the body can have any content.
    private func schema(of content: Operation.Content, as type: String) -> Schema? {
        let prefix = place.screen?.prefix ?? ""
        return switch content {
        case .snapshot: .reference("\(prefix)Snapshot")
        case .changes: .reference("\(prefix)Changes")
        case .screens: .reference("Screens")
        case .description: ["type": "object"]
        case .anything: type.hasPrefix("text/") ? .text : nil
        }
    }

    // MARK: - Problems

    private var isOfAction: Bool { operation.body == .action }

    private func reference(to kinds: [Problem.Kind], _ components: inout Components) -> Schema {
        let name = kinds.map(\.rawValue.asComponentName).joined(separator: "Or")
        return components.addResponse(isOfAction ? name + "OfAction" : name) {
            var fields: [ResponseField] = []
            for field in kinds.flatMap(\.fields) where !fields.contains(field) { fields.append(field) }
            return Self.response(kinds.map(summary).joined(separator: ", or: ") + ".", fields, [content(of: kinds)])
        }
    }

    private func summary(of kind: Problem.Kind) -> String {
        guard isOfAction, kind == .bodyTooLarge else { return kind.title }
        return "\(kind.title): the limit of an action is \(RequestBody.actionLimit) bytes, or more if its texts may be longer"
    }

    private func content(of kinds: [Problem.Kind]) -> (String, Schema) {
        let schemas = kinds.map { (text: $0.type, name: $0.schemaName) }
        let schema = schemas.count == 1 ? .reference(schemas[0].name) : Schema.union(of: schemas, discriminator: "type")
        let whole = isOfAction ? .object(["allOf": .array([schema, ["required": ["outcome"]]])]) : schema
        return ("application/problem+json", ["schema": whole])
    }

    private static func response(_ summary: String, _ fields: [ResponseField], _ content: [(String, Schema)]) -> Schema {
        Schema.object(["description": .string(summary)])
            .with("headers", fields.isEmpty ? nil : .object(OrderedFields(fields.map { ($0.rawValue, $0.header) })))
            .with("content", content.isEmpty ? nil : .object(OrderedFields(content)))
    }
}

extension Operation.Success {
    fileprivate var summary: String {
        switch status {
        case 204: "The action was performed."
        case 304: "The client's copy is current."
        case 503: "Not ready."
        default: "Success."
        }
    }
}
