import ScreenModel
import ScreenService

/// A screen with prebuilt models, so that a measurement does not include building the model.
struct Prebuilt: Screen {
    typealias Model = TableViewModel<Never, SampleCell>

    static let name = "prebuilt"
    static let topic = Topic("prebuilt")
    static let index = Parameter.integer("index", in: 0...1_000_000, default: 0, "Which model.")

    let visibility = Visibility.everyone
    let isStatic = true
    let parameters: [any ParameterDeclaring] = [index]
    let models: [ScreenContent<Model>]
    let topics: Topics

    let title: Text = "Prebuilt"

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        topics.recorder?.record(Self.topic)
        return models[request[Self.index]]
    }

    /// Returns a model with the given numbers of sections and cells. The cells are distributed evenly over the sections.
    static func model(sections: Int, cells: Int) -> Model {
        Model(
            sections: (0..<sections).map { section in
                let numbers = section * cells / sections..<(section + 1) * cells / sections
                return Model.Section(id: "2018-07-\(section)", cells: numbers.map { SampleCell(number: $0) })
            }
        )
    }
}
