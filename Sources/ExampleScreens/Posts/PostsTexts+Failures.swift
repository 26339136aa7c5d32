import ScreenService

// What went wrong, and so what whoever runs the server has to look at.
extension PostsTexts {
    func failure(_ failure: PostsFailure) -> String {
        switch failure {
        case .unreachable:
            locale.text(
                english: "The source of the posts cannot be reached.",
                french: "La source des publications est injoignable."
            )
        case .slow:
            locale.text(
                english: "The source of the posts takes too long to answer.",
                french: "La source des publications met trop de temps à répondre."
            )
        case .status(let status):
            locale.text(
                english: "The source of the posts answered with an error (\(status)).",
                french: "La source des publications a répondu par une erreur (\(status))."
            )
        case .notJSON:
            locale.text(
                english: "The source of the posts answered with something other than JSON.",
                french: "La source des publications a répondu par autre chose que du JSON."
            )
        case .wrongShape(let place):
            locale.text(
                english: "The source of the posts answered with something other than posts\(at(place)).",
                french: "La source des publications a répondu par autre chose que des publications\(at(place))."
            )
        case .tooLarge:
            locale.text(
                english: "The answer of the source of the posts is too large.",
                french: "La réponse de la source des publications est trop volumineuse."
            )
        }
    }

    private func at(_ place: String) -> String {
        place.isEmpty ? "" : " (\(place))"
    }
}
