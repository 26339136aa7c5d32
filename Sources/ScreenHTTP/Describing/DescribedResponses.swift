import ScreenModel
import ScreenService

/// The answers of an operation at a place: what it gives, and its problems, by their statuses.
struct DescribedResponses {
    private let operation: Operation
    private let place: DescribedPlace
    private let problems: [Problem.Kind]

    /// - Parameter takesTokens: whether what a request says of who asks is looked at.
    init(_ operation: Operation, at place: DescribedPlace, takesTokens: Bool) {
        self.operation = operation
        self.place = place
        var declared = operation.problems.union(Operation.commonProblems).subtracting(Self.unreachable(at: place))
        if takesTokens { declared.insert(.invalidToken) }
        problems = Problem.Kind.allCases.filter(declared.contains)
    }

    /// What cannot be wrong where the path names a screen and an action that there are.
    private static func unreachable(at place: DescribedPlace) -> Set<Problem.Kind> {
        var unreachable: Set<Problem.Kind> = [.unknownScreen, .unknownAction]
        let rules = place.rules
        if rules.allSatisfy({ $0 == .everyone }) { unreachable.insert(.unauthorized) }
        if rules.allSatisfy({ [.everyone, .users].contains($0) }) { unreachable.insert(.forbidden) }
        return unreachable
    }

    func document(_ components: inout Components) -> Schema {
        let statuses = Set(operation.answers.map(\.status) + problems.map(\.status)).sorted()
        var responses: [(String, Schema)] = []
        for status in statuses {
            let kinds = problems.filter { $0.status == status }
            guard let answer = operation.answers.first(where: { $0.status == status }) else {
                responses.append((String(status), reference(to: kinds, &components)))
                continue
            }
            let content = content(of: answer) + (kinds.isEmpty ? [] : [content(of: kinds)])
            // A field is described as one that each answer of a status has.
            let fields = answer.fields.filter { field in kinds.allSatisfy { $0.fields.contains(field) } }
            responses.append((String(status), Self.response(answer.summary, fields, content)))
        }
        responses.append(("414", components.addResponse("TargetTooLong") { Self.targetTooLong }))
        return .object(OrderedFields(responses))
    }

    /// By the library that reads requests, before anything of this has a say, and without a media type.
    private static let targetTooLong: Schema = [
        "description": "The target has more than about 8,000 bytes. The answer is a page for people, and no problem."
    ]

    private func content(of answer: Operation.Success) -> [(String, Schema)] {
        answer.types.map { type in
            let media = type == ScreenHandlers.eventStreamType ? Self.stream : schema(of: answer.content, as: type)
            return (type, media.map { ["schema": $0] } ?? [:])
        }
    }

    private static let stream = Schema.text.with(
        "description", "Events `changeset` and `snapshot`: their `id` is the version, their `data` what is given as JSON."
    ) as Schema?

    /// Nil for what can be anything.
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
        isOfAction && kind == .bodyTooLarge ? "\(kind.title): an action takes \(RequestBody.longestAction) bytes, or more where its texts may be longer" : kind.title
    }

    private func content(of kinds: [Problem.Kind]) -> (String, Schema) {
        let schemas = kinds.map { (text: $0.type, name: $0.schemaName) }
        let schema = schemas.count == 1 ? .reference(schemas[0].name) : Schema.union(of: schemas, toldApartBy: "type")
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
        case 204: "It was done."
        case 304: "What the client has is still so."
        case 503: "Not now."
        default: "What was asked for."
        }
    }
}
