import Foundation
import ScreenService

/// What ``Posts`` says, in one language. The posts themselves are shown as they were written.
struct PostsTexts {
    let locale: ScreenLocale

    var title: String { locale.text(english: "Posts", french: "Publications") }

    var limitParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Number", french: "Nombre"),
            summary: locale.text(english: "How many posts to show.", french: "Combien de publications afficher.")
        )
    }

    var toRefresh: String { locale.text(english: "Fetches the first posts again.", french: "Cherche à nouveau les premières publications.") }
    var toRetry: String { locale.text(english: "Fetches what failed.", french: "Cherche ce qui a échoué.") }

    var more: String { locale.text(english: "Show more", french: "Afficher la suite") }

    var refresh: String { locale.text(english: "Refresh", french: "Actualiser") }

    var loading: String { locale.text(english: "Loading posts…", french: "Chargement des publications…") }

    var retry: String { locale.text(english: "Try again", french: "Réessayer") }

    /// What stands above the posts where there are `count`.
    func count(_ count: Int) -> String {
        switch count {
        case 0: locale.text(english: "No posts", french: "Aucune publication")
        case 1: locale.text(english: "1 post", french: "1 publication")
        default: locale.text(english: "\(text(count)) posts", french: "\(text(count)) publications")
        }
    }

    /// What stands above the first posts where nobody knows how many there are.
    func first(_ count: Int) -> String {
        switch count {
        case 0: locale.text(english: "No posts yet", french: "Pas encore de publications")
        case 1: locale.text(english: "The first post", french: "La première publication")
        default: locale.text(english: "The first \(text(count)) posts", french: "Les \(text(count)) premières publications")
        }
    }

    /// - Parameter count: nil while nobody knows how many there are.
    func shown(_ shown: Int, outOf count: Int?) -> String {
        guard let count else { return self.count(shown) }
        return locale.text(
            english: "\(text(shown)) of \(text(count)) posts", french: "\(text(shown)) sur \(text(count)) publications"
        )
    }

    /// What stands below all of `count` posts.
    func end(_ count: Int) -> String {
        switch count {
        case 0: locale.text(english: "There are no posts", french: "Il n’y a aucune publication")
        case 1: locale.text(english: "That was the only post", french: "C’était la seule publication")
        default:
            locale.text(
                english: "That was all \(text(count)) posts",
                french: "C’étaient les \(text(count)) publications"
            )
        }
    }

    private func text(_ number: Int) -> String {
        number.formatted(.number.locale(locale.formatting))
    }
}
