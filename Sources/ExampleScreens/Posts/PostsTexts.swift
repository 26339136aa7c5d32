import Foundation
import ScreenService

/// The texts of ``Posts`` that depend on a number, in one language.
struct PostsTexts {
    let locale: ScreenLocale

    /// What stands above the posts where there are `count`.
    func count(_ count: Int) -> String {
        switch count {
        case 0: Text("No posts", fr: "Aucune publication").in(locale)
        case 1: Text("1 post", fr: "1 publication").in(locale)
        default: Text("\(text(count)) posts", fr: "\(text(count)) publications").in(locale)
        }
    }

    /// What stands above the first posts where nobody knows how many there are.
    func first(_ count: Int) -> String {
        switch count {
        case 0: Text("No posts yet", fr: "Pas encore de publications").in(locale)
        case 1: Text("The first post", fr: "La première publication").in(locale)
        default: Text("The first \(text(count)) posts", fr: "Les \(text(count)) premières publications").in(locale)
        }
    }

    /// - Parameter count: nil while nobody knows how many there are.
    func shown(_ shown: Int, outOf count: Int?) -> String {
        guard let count else { return self.count(shown) }
        return Text("\(text(shown)) of \(text(count)) posts", fr: "\(text(shown)) sur \(text(count)) publications").in(locale)
    }

    /// What stands below all of `count` posts.
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
