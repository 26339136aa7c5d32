extension Examples {
    /// Mountains of all continents, in the order of their ranges.
    public static let mountains: [Mountain] = {
        // A paragraph is the line of a range, in English and in French, and a line for each of its
        // mountains: id, metres, countries, name. A range that is `–` is none.
        (europeanMountains + "\n\n" + otherMountains)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .split(separator: "")
            .flatMap { lines in
                let range = range(String(lines.first!))
                return lines.dropFirst().map { mountain($0, in: range) }
            }
    }()

    private static func range(_ line: String) -> TranslatedText? {
        let names = line.split(separator: " / ").map(String.init)
        return line == "–" ? nil : TranslatedText(english: names.first!, french: names.last!)
    }

    private static func mountain(_ line: Substring, in range: TranslatedText?) -> Mountain {
        let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
        return Mountain(
            id: parts[0],
            name: parts[3],
            metres: Int(parts[1])!,
            range: range,
            countries: parts[2].split(separator: ",").map(String.init)
        )
    }
}

extension Examples {
    // Heights are those of the countries' surveys.
    static let europeanMountains = """
        Alps / Alpes
        mont-blanc 4806 FR,IT Mont Blanc
        dufourspitze 4634 CH Dufourspitze
        dom 4545 CH Dom
        taeschhorn 4491 CH Täschhorn
        matterhorn 4478 CH,IT Matterhorn
        finsteraarhorn 4274 CH Finsteraarhorn
        zinalrothorn 4221 CH Zinalrothorn
        grandes-jorasses 4208 FR,IT Grandes Jorasses
        jungfrau 4158 CH Jungfrau
        aiguille-verte 4122 FR Aiguille Verte
        moench 4110 CH Mönch
        barre-des-ecrins 4102 FR Barre des Écrins
        gran-paradiso 4061 IT Gran Paradiso
        piz-bernina 4049 CH Piz Bernina
        dent-du-geant 4013 FR,IT Dent du Géant
        eiger 3967 CH Eiger
        ortler 3905 IT Ortler
        grande-casse 3855 FR Grande Casse
        aiguille-du-midi 3842 FR Aiguille du Midi
        monviso 3841 IT Monviso
        grossglockner 3798 AT Großglockner
        grossvenediger 3657 AT Großvenediger
        toedi 3613 CH Tödi
        marmolada 3343 IT Marmolada
        piz-buin 3312 AT,CH Piz Buin
        titlis 3238 CH Titlis
        hoher-dachstein 2995 AT Hoher Dachstein
        schilthorn 2970 CH Schilthorn
        zugspitze 2962 AT,DE Zugspitze
        triglav 2864 SI Triglav
        watzmann 2713 DE Watzmann
        saentis 2502 CH Säntis
        la-tournette 2351 FR La Tournette
        pilatus 2128 CH Pilatus
        chamechaude 2082 FR Chamechaude
        dent-de-crolles 2062 FR Dent de Crolles
        le-moleson 2002 CH Le Moléson

        Jura / Jura
        cret-de-la-neige 1720 FR Crêt de la Neige
        la-dole 1677 CH La Dôle
        chasseral 1606 CH Chasseral

        Vosges / Vosges
        grand-ballon 1424 FR Grand Ballon
        le-hohneck 1363 FR Le Hohneck

        Massif Central / Massif central
        plomb-du-cantal 1855 FR Plomb du Cantal
        mont-mezenc 1753 FR Mont Mézenc
        puy-de-dome 1465 FR Puy de Dôme

        Pyrenees / Pyrénées
        aneto 3404 ES Pico de Aneto
        vignemale 3298 ES,FR Vignemale
        balaitous 3144 ES,FR Balaïtous
        pica-d-estats 3143 ES,FR Pica d'Estats
        pic-carlit 2921 FR Pic Carlit
        pic-du-midi-d-ossau 2884 FR Pic du Midi d'Ossau
        pic-du-midi-de-bigorre 2877 FR Pic du Midi de Bigorre
        pic-du-canigou 2785 FR Pic du Canigou

        Sierra Nevada (Spain) / Sierra Nevada (Espagne)
        mulhacen 3479 ES Mulhacén

        Serra da Estrela / Serra da Estrela
        torre 1993 PT Torre

        Corsican Mountains / Massif corse
        monte-cinto 2706 FR Monte Cinto

        Apennines / Apennins
        corno-grande 2912 IT Corno Grande
        monte-amaro 2793 IT Monte Amaro
        monte-cimone 2165 IT Monte Cimone

        Tatras / Tatras
        gerlachovsky-stit 2655 SK Gerlachovský štít
        lomnicky-stit 2634 SK Lomnický štít
        krivan 2495 SK Kriváň
        swinica 2301 PL,SK Świnica
        giewont 1895 PL Giewont

        Giant Mountains / Monts des Géants
        sniezka 1603 CZ,PL Śnieżka

        Beskids / Beskides
        babia-gora 1725 PL,SK Babia Góra

        Holy Cross Mountains / Monts Sainte-Croix
        lysica 614 PL Łysica

        Harz / Harz
        brocken 1141 DE Brocken

        Black Forest / Forêt-Noire
        feldberg 1493 DE Feldberg

        Mátra / Mátra
        kekes 1014 HU Kékes

        Eastern Carpathians / Carpates orientales
        hoverla 2061 UA Hoverla

        Southern Carpathians / Carpates méridionales
        moldoveanu 2544 RO Moldoveanu

        Rila / Rila
        musala 2925 BG Musala

        Pirin / Pirin
        vihren 2914 BG Vihren

        Dinaric Alps / Alpes dinariques
        maja-jezerce 2694 AL Maja Jezercë
        maglic 2386 BA Maglić
        dinara 1831 HR Dinara
        lovcen 1749 ME Lovćen

        Scandinavian Mountains / Alpes scandinaves
        galdhopiggen 2469 NO Galdhøpiggen
        store-skagastolstind 2405 NO Store Skagastølstind
        snohetta 2286 NO Snøhetta
        kebnekaise 2097 SE Kebnekaise
        sarektjahkka 2089 SE Sarektjåkkå
        gaustatoppen 1883 NO Gaustatoppen
        areskutan 1420 SE Åreskutan
        saana 1029 FI Saana

        Grampian Mountains / Monts Grampians
        ben-nevis 1345 GB Ben Nevis

        Cairngorms / Cairngorms
        ben-macdui 1309 GB Ben Macdui

        Cuillin / Cuillin
        sgurr-alasdair 992 GB Sgùrr Alasdair

        Snowdonia / Snowdonia
        yr-wyddfa 1085 GB Yr Wyddfa / Snowdon

        Lake District / Lake District
        scafell-pike 978 GB Scafell Pike
        helvellyn 950 GB Helvellyn

        MacGillycuddy's Reeks / MacGillycuddy's Reeks
        carrauntoohil 1039 IE Carrauntoohil

        Caucasus / Caucase
        elbrus 5642 RU Elbrus
        dykh-tau 5205 RU Dykh-Tau
        bazarduzu 4466 AZ,RU Bazardüzü
        aragats 4090 AM Aragats

        –
        olympus 2918 GR Ólympos
        vesuvio 1281 IT Vesuvio
        hvannadalshnjukur 2110 IS Hvannadalshnjúkur
        herdubreid 1682 IS Herðubreið
        eyjafjallajokull 1651 IS Eyjafjallajökull
        hekla 1491 IS Hekla
        snaefellsjokull 1446 IS Snæfellsjökull
        slaettaratindur 880 FO Slættaratindur
        newtontoppen 1713 SJ Newtontoppen
        pico-do-pico 2351 PT Montanha do Pico
        teide 3715 ES Teide
        """
}
