import ScreenService
import Storage

/// Says what ``Deliveries`` says, in one language.
struct DeliveriesTexts {
    let locale: ScreenLocale
    private let format: DeliveriesFormat

    init(locale: ScreenLocale) {
        self.locale = locale
        format = DeliveriesFormat(locale: locale)
    }

    var title: String { locale.text(english: "Deliveries", french: "Livraisons") }

    var number: String { locale.text(english: "Number", french: "Numéro") }
    var date: String { locale.text(english: "Date", french: "Date") }
    var status: String { locale.text(english: "Status", french: "Statut") }
    var contracted: String { locale.text(english: "Contracted", french: "Poids contractuel") }
    var delivered: String { locale.text(english: "Delivered so far", french: "Livré à ce jour") }
    var window: String { locale.text(english: "Delivery window", french: "Période de livraison") }

    var weighed: String { locale.text(english: "Weighed", french: "Pesée") }
    var scheduled: String { locale.text(english: "Scheduled", french: "Prévue") }
}

// What depends on a value.
extension DeliveriesTexts {
    func text(_ day: CalendarDay) -> String { format.date(day) }

    func text(_ days: ClosedRange<CalendarDay>) -> String {
        format.date(days.lowerBound) + " – " + format.date(days.upperBound)
    }

    func text(_ weight: Weight) -> String { format.tonnes(weight) + " t" }

    func text(_ status: Contract.Status) -> String {
        switch status {
        case .agreed: locale.text(english: "Agreed", french: "Conclu")
        case .running: locale.text(english: "Running", french: "En cours")
        case .fulfilled: locale.text(english: "Fulfilled", french: "Honoré")
        case .discounted: locale.text(english: "Discounted", french: "Avec réfaction")
        case .paid: locale.text(english: "Paid", french: "Payé")
        }
    }

    /// The title of a day on which something comes.
    func day(_ day: CalendarDay, count: Int, _ weight: Weight) -> String {
        let deliveries =
            count == 1
            ? locale.text(english: "delivery", french: "livraison")
            : locale.text(english: "deliveries", french: "livraisons")
        return "\(text(day)) – \(format.count(count)) \(deliveries), \(text(weight))"
    }
}
