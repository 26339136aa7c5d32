import ScreenModel
import ScreenService

/// An operation at a place, as its description says it.
struct DescribedOperation {
    private let operation: Operation
    private let place: DescribedPlace
    private let languages: [String]
    private let takesTokens: Bool

    init(_ operation: Operation, at place: DescribedPlace, languages: [String], takesTokens: Bool) {
        self.takesTokens = takesTokens
        self.operation = operation
        self.place = place
        self.languages = languages
    }

    func document(_ components: inout Components) -> Schema {
        let parameters = pathParameters + queryParameters + operation.fields.map(\.parameter)
        let responses = DescribedResponses(operation, at: place, takesTokens: takesTokens).document(&components)
        return Schema.object(["operationId": .string(name(&components)), "summary": .string(summary)])
            .with("tags", [.string(place.screen?.name ?? Description.serviceTag)])
            .with("parameters", parameters.isEmpty ? nil : .array(parameters))
            .with("requestBody", body(&components))
            .with("responses", responses)
            .with("security", security)
    }

    /// Without a token, too, where everyone may have it.
    private var security: Schema? {
        guard takesTokens, place.screen != nil else { return .none }
        let token: Schema = [Description.tokenScheme: []]
        return place.rules.allSatisfy { $0 == .everyone } ? [[:], token] : [token]
    }

    private func name(_ components: inout Components) -> String {
        let name = operation.name.replacing("{screen}", with: place.screen?.prefix ?? "")
        return components.unique(name.replacing("{action}", with: place.action?.name.asComponentName ?? ""))
    }

    private var summary: String {
        guard let screen = place.screen else { return operation.summary }
        return place.action?.summary.in(.english) ?? "\(screen.title): \(operation.summary)"
    }

    private var pathParameters: [Schema] {
        guard place.pattern.parts.contains(.file) else { return [] }
        return [
            [
                "name": "file", "in": "path", "required": true, "schema": .text, "example": "index.html",
                "description": "The name of a file; those in folders have theirs in front, with a slash.",
            ]
        ]
    }

    private var queryParameters: [Schema] {
        switch operation.query {
        case .ignored: []
        case .taking(let taken): taken.map { $0.parameter(languages, nil) }
        case .ofScreen(let taken):
            (place.screen?.parameters.map(\.parameter) ?? []) + taken.map { $0.parameter(languages, place.screen?.revisions) }
        }
    }

    private func body(_ components: inout Components) -> Schema? {
        guard let purpose = operation.body else { return nil }
        let (schema, example) =
            switch purpose {
            case .changes: (Self.changesBody, Self.someVersion as Schema?)
            case .action: actionBody(&components)
            }
        return ["required": true, "content": ["application/json": Schema.object(["schema": schema]).with("example", example)]]
    }

    private static let changesBody = Schema.object([Member("version", Schema.text.with("description", "What the client holds."))])
    private static let someVersion: Schema = ["version": "7qgwzwwvlqdelwrzpqwnkatwb4"]

    private func actionBody(_ components: inout Components) -> (Schema, example: Schema?) {
        guard let action = place.action, let screen = place.screen else { return ([:], nil) }
        let input = components.add("\(screen.prefix)\(action.name.asComponentName)Input", action.inputSchema(in: screen.locale))
        let isRequired = action.fields.contains(where: \.isRequired)
        let version = Schema.orNull(.text).with("description", "What the client holds, if it holds anything.")
        let members = [
            Member("version", version, isRequired: false),
            Member("input", isRequired ? input : .orNull(input), isRequired: isRequired),
        ]
        return (.object(members), action.sampleInput.map { ["input": $0] })
    }
}

extension Action {
    fileprivate func inputSchema(in locale: ScreenLocale) -> Schema {
        .object(fields.map { field in
            let schema = field.type.schema(in: .json)
            let formatted = field.format.flatMap(\.jsonSchema).map { schema.with("format", .string($0)) } ?? schema
            let described = (field.isRequired ? formatted : .orNull(formatted)).with("title", .string(field.title.in(locale)))
                .with("description", .string("It must be \(field.type.shape(in: .json))."))
            return Member(field.name, described, isRequired: field.isRequired)
        })
    }

    /// An input that it may have; nil where not every text will do for a field.
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

