import ExampleRecords

/// The names of the countries of the mountains.
///
/// Foundation has such names too, but they change with its version, and with them all versions of
/// the list; replicas would disagree while one is replaced.
enum CountryNames {
    /// By their codes, as `Mountain/countries` has them.
    static let byCode = Dictionary(
        uniqueKeysWithValues: lines.split(separator: "\n").map { line in
            let names = line.dropFirst(3).split(separator: " / ").map(String.init)
            return (String(line.prefix(2)), TranslatedText(english: names[0], french: names[1]))
        }
    )

    private static let lines = """
        AL Albania / Albanie
        AM Armenia / Arménie
        AQ Antarctica / Antarctique
        AR Argentina / Argentine
        AT Austria / Autriche
        AU Australia / Australie
        AZ Azerbaijan / Azerbaïdjan
        BA Bosnia and Herzegovina / Bosnie-Herzégovine
        BG Bulgaria / Bulgarie
        BO Bolivia / Bolivie
        BR Brazil / Brésil
        BT Bhutan / Bhoutan
        CA Canada / Canada
        CD DR Congo / RD Congo
        CH Switzerland / Suisse
        CL Chile / Chili
        CN China / Chine
        CO Colombia / Colombie
        CU Cuba / Cuba
        CV Cape Verde / Cap-Vert
        CZ Czechia / Tchéquie
        DE Germany / Allemagne
        EC Ecuador / Équateur
        ES Spain / Espagne
        ET Ethiopia / Éthiopie
        FI Finland / Finlande
        FO Faroe Islands / Îles Féroé
        FR France / France
        GB United Kingdom / Royaume-Uni
        GL Greenland / Groenland
        GP Guadeloupe / Guadeloupe
        GR Greece / Grèce
        GY Guyana / Guyana
        HR Croatia / Croatie
        HU Hungary / Hongrie
        ID Indonesia / Indonésie
        IE Ireland / Irlande
        IN India / Inde
        IR Iran / Iran
        IS Iceland / Islande
        IT Italy / Italie
        JM Jamaica / Jamaïque
        JP Japan / Japon
        KE Kenya / Kenya
        KG Kyrgyzstan / Kirghizistan
        KP North Korea / Corée du Nord
        KR South Korea / Corée du Sud
        KZ Kazakhstan / Kazakhstan
        LB Lebanon / Liban
        LK Sri Lanka / Sri Lanka
        LS Lesotho / Lesotho
        MA Morocco / Maroc
        ME Montenegro / Monténégro
        MG Madagascar / Madagascar
        MQ Martinique / Martinique
        MX Mexico / Mexique
        MY Malaysia / Malaisie
        NO Norway / Norvège
        NP Nepal / Népal
        NZ New Zealand / Nouvelle-Zélande
        PE Peru / Pérou
        PF French Polynesia / Polynésie française
        PG Papua New Guinea / Papouasie-Nouvelle-Guinée
        PH Philippines / Philippines
        PK Pakistan / Pakistan
        PL Poland / Pologne
        PT Portugal / Portugal
        RO Romania / Roumanie
        RU Russia / Russie
        RW Rwanda / Rwanda
        SE Sweden / Suède
        SI Slovenia / Slovénie
        SJ Svalbard / Svalbard
        SK Slovakia / Slovaquie
        TD Chad / Tchad
        TJ Tajikistan / Tadjikistan
        TR Turkey / Turquie
        TW Taiwan / Taïwan
        TZ Tanzania / Tanzanie
        UA Ukraine / Ukraine
        UG Uganda / Ouganda
        US United States / États-Unis
        VE Venezuela / Venezuela
        VN Vietnam / Viêt Nam
        ZA South Africa / Afrique du Sud
        """
}
