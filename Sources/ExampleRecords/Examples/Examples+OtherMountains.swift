extension Examples {
    // Of those with several figures, the one of the latest survey.
    static let otherMountains = """
        Himalayas / Himalaya
        everest 8849 CN,NP Everest
        kangchenjunga 8586 IN,NP Kangchenjunga
        lhotse 8516 CN,NP Lhotse
        makalu 8485 CN,NP Makalu
        cho-oyu 8188 CN,NP Cho Oyu
        dhaulagiri 8167 NP Dhaulagiri
        manaslu 8163 NP Manaslu
        nanga-parbat 8126 PK Nanga Parbat
        annapurna 8091 NP Annapurna
        shishapangma 8027 CN Shishapangma
        nuptse 7861 NP Nuptse
        nanda-devi 7816 IN Nanda Devi
        namcha-barwa 7782 CN Namcha Barwa
        kamet 7756 IN Kamet
        gangkhar-puensum 7570 BT Gangkhar Puensum
        pumori 7161 CN,NP Pumori
        machapuchare 6993 NP Machapuchare
        ama-dablam 6812 NP Ama Dablam
        shivling 6543 IN Shivling

        Karakoram / Karakoram
        k2 8611 CN,PK K2
        gasherbrum-1 8080 CN,PK Gasherbrum I
        gasherbrum-2 8034 CN,PK Gasherbrum II
        broad-peak 8051 CN,PK Broad Peak
        masherbrum 7821 PK Masherbrum
        rakaposhi 7788 PK Rakaposhi

        Hindu Kush / Hindou Kouch
        tirich-mir 7708 PK Tirich Mir

        Pamirs / Pamir
        muztagh-ata 7546 CN Muztagh Ata
        ismoil-somoni 7495 TJ Ismoil Somoni

        Tian Shan / Tian Shan
        jengish-chokusu 7439 CN,KG Jengish Chokusu
        khan-tengri 7010 CN,KG,KZ Khan Tengri

        Transhimalaya / Transhimalaya
        kailash 6638 CN Kailash

        Altai / Altaï
        belukha 4506 KZ,RU Belukha

        Alborz / Elbourz
        damavand 5609 IR Damāvand

        Taurus and Eastern Anatolia / Taurus et Anatolie orientale
        agri-dagi 5137 TR Ağrı Dağı / Ararat
        suphan-dagi 4058 TR Süphan Dağı
        nemrut-dagi 2134 TR Nemrut Dağı

        Lebanon Mountains / Mont Liban
        qurnat-as-sawda 3088 LB Qurnat as-Sawdā'

        Japanese Alps / Alpes japonaises
        kita-dake 3193 JP Kita-dake
        oku-hotaka-dake 3190 JP Oku-Hotaka-dake
        yari-ga-take 3180 JP Yari-ga-take
        tateyama 3015 JP Tateyama

        Taiwan's Central Range / Chaîne centrale de Taïwan
        yu-shan 3952 TW Yù Shān

        Hoàng Liên Sơn / Hoàng Liên Sơn
        phan-xi-pang 3147 VN Phan Xi Păng

        Western Ghats / Ghats occidentaux
        anamudi 2695 IN Anamudi

        Atlas / Atlas
        toubkal 4167 MA Jbel Toubkal

        Ethiopian Highlands / Hauts plateaux d'Éthiopie
        ras-dashen 4550 ET Ras Dashen

        Ruwenzori / Ruwenzori
        mount-stanley 5109 CD,UG Mount Stanley

        Virunga Mountains / Montagnes des Virunga
        karisimbi 4507 CD,RW Karisimbi
        nyiragongo 3470 CD Nyiragongo

        Drakensberg / Drakensberg
        thabana-ntlenyana 3482 LS Thabana Ntlenyana

        Tibesti / Tibesti
        emi-koussi 3415 TD Emi Koussi

        Alaska Range / Chaîne d'Alaska
        denali 6190 US Denali
        mount-foraker 5304 US Mount Foraker

        Saint Elias Mountains / Chaîne Saint-Élie
        mount-logan 5959 CA Mount Logan
        mount-saint-elias 5489 CA,US Mount Saint Elias

        Coast Mountains / Chaîne Côtière
        mount-waddington 4019 CA Mount Waddington

        Rocky Mountains / Montagnes Rocheuses
        mount-elbert 4401 US Mount Elbert
        longs-peak 4346 US Longs Peak
        pikes-peak 4302 US Pikes Peak
        grand-teton 4199 US Grand Teton
        mount-assiniboine 3618 CA Mount Assiniboine

        Cascades / Chaîne des Cascades
        mount-rainier 4392 US Mount Rainier
        mount-shasta 4322 US Mount Shasta
        mount-hood 3429 US Mount Hood
        mount-baker 3286 US Mount Baker
        mount-saint-helens 2549 US Mount St. Helens

        Sierra Nevada (California) / Sierra Nevada (Californie)
        mount-whitney 4421 US Mount Whitney

        Appalachians / Appalaches
        mount-mitchell 2037 US Mount Mitchell
        mount-washington 1917 US Mount Washington
        mont-jacques-cartier 1268 CA Mont Jacques-Cartier

        Torngat Mountains / Monts Torngat
        mont-d-iberville 1652 CA Mont D'Iberville

        Trans-Mexican Volcanic Belt / Cordillère néovolcanique
        citlaltepetl 5636 MX Citlaltépetl
        popocatepetl 5393 MX Popocatépetl
        iztaccihuatl 5230 MX Iztaccíhuatl
        xinantecatl 4680 MX Xinantécatl
        paricutin 2800 MX Parícutin

        Blue Mountains (Jamaica) / Montagnes Bleues (Jamaïque)
        blue-mountain-peak 2256 JM Blue Mountain Peak

        Sierra Maestra / Sierra Maestra
        pico-turquino 1974 CU Pico Turquino

        Andes / Andes
        aconcagua 6961 AR Aconcagua
        ojos-del-salado 6893 AR,CL Ojos del Salado
        monte-pissis 6793 AR Monte Pissis
        huascaran 6768 PE Huascarán
        llullaillaco 6739 AR,CL Llullaillaco
        yerupaja 6635 PE Yerupajá
        tupungato 6570 AR,CL Tupungato
        sajama 6542 BO Sajama
        illimani 6438 BO Illimani
        siula-grande 6344 PE Siula Grande
        chimborazo 6263 EC Chimborazo
        huayna-potosi 6088 BO Huayna Potosí
        alpamayo 5947 PE Alpamayo
        cotopaxi 5897 EC Cotopaxi
        misti 5822 PE Misti
        cayambe 5790 EC Cayambe
        nevado-del-ruiz 5321 CO Nevado del Ruiz
        tungurahua 5023 EC Tungurahua
        pico-bolivar 4978 VE Pico Bolívar
        fitz-roy 3405 AR,CL Fitz Roy / Chaltén
        cerro-paine-grande 2884 CL Cerro Paine Grande
        osorno 2652 CL Volcán Osorno

        Guiana Highlands / Plateau des Guyanes
        pico-da-neblina 2995 BR Pico da Neblina
        roraima 2810 BR,GY,VE Roraima

        Sudirman Range / Monts Sudirman
        puncak-jaya 4884 ID Puncak Jaya

        Barisan Mountains / Monts Barisan
        kerinci 3805 ID Kerinci

        Bismarck Range / Chaîne de Bismarck
        mount-wilhelm 4509 PG Mount Wilhelm

        Great Dividing Range / Cordillère australienne
        mount-kosciuszko 2228 AU Mount Kosciuszko

        Southern Alps / Alpes du Sud
        aoraki 3724 NZ Aoraki / Mount Cook
        mount-tasman 3497 NZ Horokoau / Mount Tasman
        tititea 3033 NZ Tititea / Mount Aspiring

        Watkins Range / Chaîne Watkins
        gunnbjorn-fjeld 3694 GL Gunnbjørn Fjeld

        Ellsworth Mountains / Monts Ellsworth
        mount-vinson 4892 AQ Mount Vinson

        –
        kilimanjaro 5895 TZ Kilimanjaro
        mount-kenya 5199 KE Mount Kenya
        mount-meru 4562 TZ Mount Meru
        mount-elgon 4321 KE,UG Mount Elgon
        maromokotro 2876 MG Maromokotro
        pico-do-fogo 2829 CV Pico do Fogo
        table-mountain 1085 ZA Table Mountain
        montagne-pelee 1397 MQ Montagne Pelée
        la-soufriere 1467 GP La Soufrière
        fuji-san 3776 JP Fuji-san
        hallasan 1947 KR Hallasan
        paektusan 2744 CN,KP Paektusan
        kinabalu 4095 MY Kinabalu
        rinjani 3726 ID Rinjani
        mount-apo 2954 PH Mount Apo
        pidurutalagala 2524 LK Pidurutalagala
        mauna-kea 4207 US Mauna Kea
        mauna-loa 4169 US Mauna Loa
        haleakala 3055 US Haleakalā
        mont-orohena 2241 PF Mont Orohena
        ruapehu 2797 NZ Ruapehu
        taranaki 2518 NZ Taranaki
        mount-erebus 3794 AQ Mount Erebus
        pao-de-acucar 396 BR Pão de Açúcar
        """
}
