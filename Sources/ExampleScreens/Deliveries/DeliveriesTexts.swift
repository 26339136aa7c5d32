import ExampleStores
import ScreenService

/// What ``Deliveries`` says, in one language.
struct DeliveriesTexts: Sendable {
    let locale: ScreenLocale
    private let format: DeliveriesFormat

    init(locale: ScreenLocale) {
        self.locale = locale
        format = DeliveriesFormat.of(locale)
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

    var schedule: String { locale.text(english: "Schedule a delivery", french: "Prévoir une livraison") }
    var weigh: String { locale.text(english: "Weigh", french: "Peser") }
    var reschedule: String { locale.text(english: "Move to another day", french: "Changer de jour") }
    var cancel: String { locale.text(english: "Delete delivery", french: "Supprimer la livraison") }
    var restore: String { ExampleTexts(locale: locale).restore }

    var delivery: String { locale.text(english: "Delivery", french: "Livraison") }
    var day: String { locale.text(english: "Day", french: "Jour") }
    var kilograms: String { locale.text(english: "Weight in kg", french: "Poids en kg") }
}

// What the list of screens says.
extension DeliveriesTexts {
    var contractParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "Contract", french: "Contrat"),
            summary: locale.text(english: "The number of the contract to show.", french: "Le numéro du contrat à afficher.")
        )
    }

    var fromParameter: ParameterTexts {
        ParameterTexts(
            title: locale.text(english: "From", french: "À partir du"),
            summary: locale.text(english: "Leaves out the days before this one.", french: "Laisse de côté les jours d’avant.")
        )
    }

    var toSchedule: String { locale.text(english: "Adds a delivery on a day.", french: "Ajoute une livraison à un jour.") }
    var toReschedule: String { locale.text(english: "Moves a delivery to another day.", french: "Met une livraison à un autre jour.") }
    var toWeigh: String { locale.text(english: "Says what the weighbridge found.", french: "Dit ce que le pont-bascule a trouvé.") }
    var toCancel: String { locale.text(english: "Deletes a delivery.", french: "Supprime une livraison.") }
}

extension DeliveriesTexts: Equatable {
    static func == (a: DeliveriesTexts, b: DeliveriesTexts) -> Bool { a.locale == b.locale }
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

    /// - Parameter known: some that there are; empty to name none.
    func noContract(_ number: String, known: [String]) -> String {
        let list = known.joined(separator: ", ")
        return locale.text(
            english: "There is no contract \(number)." + (known.isEmpty ? "" : " Known are \(list)."),
            french: "Le contrat \(number) n’existe pas." + (known.isEmpty ? "" : " On connaît \(list).")
        )
    }

    func noDelivery(_ id: String) -> String {
        locale.text(english: "There is no delivery \(id) any more.", french: "Il n’y a plus de livraison \(id).")
    }

    func outside(_ window: ClosedRange<CalendarDay>) -> String {
        locale.text(
            english: "The day must be within the delivery window, \(text(window)).",
            french: "Le jour doit être dans la période de livraison, \(text(window))."
        )
    }

    func overContracted(_ room: Weight) -> String {
        locale.text(
            english: "Scheduled deliveries may not exceed the contracted weight; there is room for \(text(room)).",
            french: "Les livraisons prévues ne peuvent dépasser le poids contractuel ; il reste \(text(room))."
        )
    }

    func overTolerance(_ room: Weight) -> String {
        locale.text(
            english: "All weighings together may exceed the contracted weight by 5 %; this one may be \(text(room)).",
            french: "Les pesées peuvent dépasser le poids contractuel de 5 % au plus ; celle-ci peut atteindre \(text(room))."
        )
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
