import ScreenModel
import ScreenService

extension ParameterDeclaring {
    /// A parameter of a screen.
    var parameter: Schema {
        let schema = type.schema(in: .query).with("default", defaultText.map(type.value(ofText:)))
        return Schema.object(["name": .string(name), "in": "query", "schema": schema])
            .with("description", .string("\(summary.in(.english)) It must be \(type.shape(in: .query))."))
            .with("example", exampleText.map(type.value(ofText:)))
    }
}

extension ProtocolParameter {
    /// A parameter that means the same for all screens.
    /// - Parameter revisions: of the screen that is asked for; nil where none is.
    func parameter(_ languages: [String], _ revisions: ClosedRange<Int>?) -> Schema {
        let (schema, summary): (Schema, String) =
            switch self {
            case .version: (.text, "The version that the client holds; without one the answer is a snapshot.")
            case .locale: (.choice(languages), "The language to answer in, instead of the best of `Accept-Language`.")
            case .revision:
                (.integer(in: revisions), "The revision of the screen that the client was built for, instead of the oldest that is served.")
            case .position:
                (.text, "What an action was answered with as `Relist-Position`: the answer is not from before it. Any other text is ignored.")
            }
        return ["name": .string(rawValue), "in": "query", "schema": schema, "description": .string(summary)]
    }
}

extension RequestField {
    var parameter: Schema {
        Schema.object(["name": .string(rawValue), "in": "header", "schema": schema, "description": .string(summary)])
            .with("example", example)
    }
}

extension ResponseField {
    var header: Schema {
        Schema.object(["description": .string(summary), "schema": schema]).with("required", isRequired ? true : nil)
    }
}
