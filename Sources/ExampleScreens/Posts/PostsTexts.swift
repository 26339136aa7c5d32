import Foundation
import ScreenService

/// Says what ``Posts`` says, in one language. The posts themselves are shown as they were written.
struct PostsTexts {
    let locale: ScreenLocale

    var title: String { locale.text(english: "Posts", french: "Publications") }

    var more: String { locale.text(english: "Show more", french: "Afficher la suite") }

    func shown(_ shown: Int, outOf count: Int) -> String {
        let (shown, count) = (text(shown), text(count))
        return locale.text(english: "\(shown) of \(count) posts", french: "\(shown) sur \(count) publications")
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
