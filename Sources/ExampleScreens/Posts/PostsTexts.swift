import Foundation
import ScreenService

/// The texts of ``Posts`` that depend on data, in one language.
struct PostsTexts {
    let locale: ScreenLocale

    func count(_ count: Int) -> String {
        switch count {
        case 0: Text("No posts", fr: "Aucune publication").in(locale)
        case 1: Text("1 post", fr: "1 publication").in(locale)
        default: Text("\(text(count)) posts", fr: "\(text(count)) publications").in(locale)
        }
    }

    /// Returns a text such as `The first 20 posts`, for a list whose total number of posts is unknown.
    func first(_ count: Int) -> String {
        switch count {
        case 0: Text("No posts yet", fr: "Pas encore de publications").in(locale)
        case 1: Text("The first post", fr: "La première publication").in(locale)
        default: Text("The first \(text(count)) posts", fr: "Les \(text(count)) premières publications").in(locale)
        }
    }

    /// Returns a text such as `20 of 120 posts`.
    func shown(_ shown: Int, outOf count: Int?) -> String {
        guard let count else { return self.count(shown) }
        return Text("\(text(shown)) of \(text(count)) posts", fr: "\(text(shown)) sur \(text(count)) publications").in(locale)
    }

    func end(_ count: Int) -> String {
        switch count {
        case 0: Text("There are no posts", fr: "Il n’y a aucune publication").in(locale)
        case 1: Text("That was the only post", fr: "C’était la seule publication").in(locale)
        default: Text("That was all \(text(count)) posts", fr: "C’étaient les \(text(count)) publications").in(locale)
        }
    }

    private func text(_ number: Int) -> String {
        number.formatted(.number.locale(locale.formatting))
    }
}

extension PostsFailure {
    /// The description of the failure for users and for the operator of the server.
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
