import ScreenService

extension PostsFailure {
    /// The text that tells the operator of the server where to look.
    var text: Text {
        switch self {
        case .unreachable: Text("The source of the posts cannot be reached.", fr: "La source des publications est injoignable.")
        case .slow:
            Text(
                "The source of the posts takes too long to answer.",
                fr: "La source des publications met trop de temps à répondre."
            )
        case .status(let status):
            Text(
                "The source of the posts answered with an error (\(status)).",
                fr: "La source des publications a répondu par une erreur (\(status))."
            )
        case .notJSON:
            Text(
                "The source of the posts answered with something other than JSON.",
                fr: "La source des publications a répondu par autre chose que du JSON."
            )
        case .wrongShape(let place):
            Text(
                "The source of the posts answered with something other than posts\(Self.at(place)).",
                fr: "La source des publications a répondu par autre chose que des publications\(Self.at(place))."
            )
        case .tooLarge:
            Text(
                "The answer of the source of the posts is too large.",
                fr: "La réponse de la source des publications est trop volumineuse."
            )
        }
    }

    private static func at(_ place: String) -> String {
        place.isEmpty ? "" : " (\(place))"
    }
}
