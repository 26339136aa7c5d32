PRAGMA application_id = 1380273225;
PRAGMA user_version = 0;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('history');
INSERT INTO grdb_migrations VALUES('secrets');
INSERT INTO grdb_migrations VALUES('receipts');
INSERT INTO grdb_migrations VALUES('versions');
INSERT INTO grdb_migrations VALUES('names');
INSERT INTO grdb_migrations VALUES('records');
INSERT INTO grdb_migrations VALUES('mountains');
INSERT INTO grdb_migrations VALUES('artist');
INSERT INTO grdb_migrations VALUES('wifi');
CREATE TABLE IF NOT EXISTS "grdb_relist_secret" (
    byteCount INTEGER NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
INSERT INTO grdb_relist_secret VALUES(192,X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf');
CREATE TABLE IF NOT EXISTS "grdb_relist_receipt" (
    user TEXT NOT NULL,
    screen TEXT NOT NULL,
    action TEXT NOT NULL,
    key TEXT NOT NULL,
    request BLOB NOT NULL,
    performedAt INTEGER NOT NULL,
    PRIMARY KEY (user, screen, action, key)
) STRICT;
INSERT INTO grdb_relist_receipt VALUES('demo','settings','rename','4d2cfa52-1c3b-4d8e-9a8f-0d8f7f6a0001',X'1538a64bb38266a2e2d5f35f696c8c50',1795562880);
INSERT INTO grdb_relist_receipt VALUES('demo','deliveries','schedule','4d2cfa52-1c3b-4d8e-9a8f-0d8f7f6a0002',X'88f453248e78caf2e11aae6cd2b25e5c',1795562880);
CREATE TABLE IF NOT EXISTS "grdb_relist_version" (
    audience BLOB NOT NULL,
    screen TEXT NOT NULL,
    version BLOB NOT NULL,
    view INTEGER NOT NULL,
    outline BLOB NOT NULL,
    byteCount INTEGER NOT NULL,
    usedAt INTEGER NOT NULL,
    PRIMARY KEY (audience, screen, version)
) STRICT;
INSERT INTO grdb_relist_version VALUES(X'757365723a64656d6f','settings',X'26fffa674a23f231f3068d251a37875c',-4621672630886654409,X'029f6774a3afe8516d02000000d70dfd1d67167863ae55d27d328b694d02000000eafa00ecd35f81278571f0f5941ec45b030000009e04f18d8f8c34cdea5330cf8855338531b1495c5f63e076d917a84c0a561209199d0b2a596a066a23aaf759af5b0f4cf03e04fcb48b6b539dc94e364353319addba6b0f1d2d38fd193d25ff84518287bdee8a960cbd35325cb054ac50a6a5ce',277,1795562880);
INSERT INTO grdb_relist_version VALUES(X'757365723a64656d6f','settings',X'1617b65a77a7a601ca7f063b6313227a',-4621672630886654409,X'029f6774a3afe8516d02000000d70dfd1d67167863ae55d27d328b694d02000000eafa00ecd35f81278571f0f5941ec45b030000009e04f18d8f8c34cd46363ae29c10759d31b1495c5f63e076d917a84c0a561209199d0b2a596a066a23aaf759af5b0f4cf03e04fcb48b6b539dc94e364353319addba6b0f1d2d38fd193d25ff84518287b2ce0e3f21f916b615e40f1addc2e89f',277,1795562880);
INSERT INTO grdb_relist_version VALUES(X'757365723a64656d6f','deliveries',X'555f383b9c9afb73ec74306a10f6fe9f',3827665377769896476,X'02d3243d00e992b53801000000061d9f13d3cd7f22bda093410e007f25070000003aed53970fb3c97a58fc971adec58642d06a120ab10145ef691d71a677bcdc0627f9f64ac62ca334b38d9d3ded231d4eba760b3102a694b97c18f40ad3662147dd96471c08d6d5d1c8d818a48a34535d5f89e1ea750c4da01ef8ac9ccb323bc32a0577617332e993608e7aff1ad80916b3773cd00c870298986591a168ad035b',289,1795562880);
INSERT INTO grdb_relist_version VALUES(X'65766572796f6e65','posts',X'aa16905b256ea00363b5a1f75514d1c2',269778196424133946,X'02ea4cc07e23e1d8a601000000c6e17065c15e0ac2dccfc6da758044f514000000863e04aec3c6217811183a2731b6a123fd6fe589580e13d5cf5193432b092f1b31c9a9da0555a4a09a68b3c6ae9e288113c1ddba88dd806fa2e5c0cf870eb84c0eadd17ddf3483a786a5630cdade183d3da12383b7a785ffb0c61f35d9dcb0e1f3b1c90b094e9085fbd94ec023e93c01b7947fbb2fac72fad94c8b89d78b68fcfd4f38fe55ede5305feab674e4f9bd3a1f58ba1bae391caedd7b39249b2c52d0b442513d30f450de691fdcabaa20aec286f87449ca1033ff36ac090e4783760a9eb55ad7051013a1df34856b65f7f893270f0b79f1a45dff2ca4a49c64de7a192c9ca155c0ed406adf8f88330f0c9c6c7b5851dac63cf1de7e0c83699849e7f2e5cc2936eb8c606a5d7b23c860351c1c605477fd00737ad34af42ece14c030132d797976cf6e9d2fbaf4f3573ba4f3559f91467e7b7fa3b7ca9b233fc2d93e9b7af11e8479800f0e13e4e3aa0034d3d5',497,1795562880);
INSERT INTO grdb_relist_version VALUES(X'65766572796f6e65','artist',X'e9b5be62545de8e8a53ec5e5f6ee5c75',-7661768009779071578,X'020c0bd4e3b738a88603000000d0bc1091e5ac46ecbda093410e007f25020000006997e579ada852a608964ec650bbe1c80a00000091a97280f7ec41bbf175e1f29b56a1ca05000000d0bc1091e5ac46ecb0422ed921cae0065bd14338f5ec183a837bb4a4e8786dbd7a5a2ecd7ac3932c3a9e03db5eaddebbe0ffa65eeedc3a4dc702ac77ba92fdbc07f0a714372aaa640967a1ce38cc2f9cbb70712c0f53b410032a215a8920c8a9d4d145ab2c051096982f16ab33ff4b501563923ec81c4ed9db36934dbf0184b7d9b3b2f6e9f0ee5090e528608e5a74a9e4838aa4fc565d959f0e51cee292a9c5ef62b6ce465df1f4e942deb92b92210fe6f0a4299b3a835e8b988f9ff622e9456ce78da8bf9ca4ae9b42027b0d177ea8679f9a44c62610beb6bb35b5fdda3dcd186891f18e835131c6db07328423012cb3f3598001acfe5d432d0c078ccd3646cf933818338b3f0c6e7a886e728b2a7a82aebd5beef707eaa9e468b03df6721f',489,1795562880);
INSERT INTO grdb_relist_version VALUES(X'757365723a64656d6f','deliveries',X'8252cf9f900e83e9d62ecfcea43f8f98',3827665377769896476,X'02d3243d00e992b53802000000061d9f13d3cd7f22bda093410e007f2507000000c3c9e60f981a849a2cbe2e6a325042fa010000003aed53970fb3c97a58fc971adec58642d06a120ab10145ef691d71a677bcdc0627f9f64ac62ca334b38d9d3ded231d4eba760b3102a694b97c18f40ad3662147dd96471c08d6d5d1c8d818a48a34535d5f89e1ea750c4da01ef8ac9ccb323bc32a0577617332e993608e7aff1ad809167394d7e7c63e49bb00709b3929efbbea9905840802e4d1b71bc9f16f587b4c3e',325,1795562880);
INSERT INTO grdb_relist_version VALUES(X'757365723a64656d6f','wifi',X'00c2a7fe8c2354e4ee2448dfc3d616fe',-1146905532968356659,X'029665c265626873b802000000f4ef9ec7da8920d9bda093410e007f250100000078dea69240c1adb6ee515989381e3bf20b000000f4ef9ec7da8920d94cbf4164e913eaad48f3f1af87d7cafbd4e9f642614553dac6f69500af69ffc6f1e10f6a1443364635f77ea90eb422f00f6e4dce760ecd34a03e583c5e338eb6665247af8dcc7deed0df3a3764177de6f61388ca1d35afc78b50f3835c6adc06a452fab12bca9bea03af1f582002e790d08fd7f9d5e44c4caa2cdd9abb3af17df6e43c93e6ae911bb3a0c96c02e9be97799095ed26e0ac8fb845a850ba2089ecf44caa1256248b65926019d7ee421b83a808bdf85853ace217369aa7e38400cfaa7163b720adebf9',389,1795562880);
CREATE TABLE examples (inserted INTEGER NOT NULL) STRICT;
INSERT INTO examples VALUES(1);
INSERT INTO examples VALUES(2);
INSERT INTO examples VALUES(3);
CREATE TABLE profile (
    user TEXT NOT NULL PRIMARY KEY,
    firstName TEXT NOT NULL,
    familyName TEXT NOT NULL,
    email TEXT NOT NULL,
    hasPassword INTEGER NOT NULL,
    isConnected INTEGER NOT NULL
) STRICT;
INSERT INTO profile VALUES('demo','Wylla','','hodor@hodor.hodor',1,0);
CREATE TABLE contract (
    number TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    date TEXT NOT NULL,
    status TEXT NOT NULL,
    contractedKilograms INTEGER NOT NULL,
    firstDay TEXT NOT NULL,
    lastDay TEXT NOT NULL
) STRICT;
INSERT INTO contract VALUES('240189-000','ORGE PLANET','2018-05-16','discounted',30000,'2018-07-01','2018-08-31');
INSERT INTO contract VALUES('240233-000','BLÉ TENDRE RUBISKO','2018-06-04','agreed',120000,'2018-08-01','2018-09-30');
INSERT INTO contract VALUES('240311-000','COLZA ARCHITECT','2018-06-21','running',90000,'2018-07-09','2018-08-17');
INSERT INTO contract VALUES('240402-000','POIS ASTRONAUTE','2018-03-13','paid',60000,'2018-06-25','2018-07-31');
INSERT INTO contract VALUES('240500-000','BLÉ TENDRE CHEVIGNON','2018-04-24','running',60000000,'2018-07-16','2018-09-13');
CREATE TABLE delivery (
    id TEXT NOT NULL PRIMARY KEY,
    contract TEXT NOT NULL REFERENCES contract (number),
    day TEXT NOT NULL,
    scheduledKilograms INTEGER NOT NULL,
    weighedKilograms INTEGER
) STRICT;
INSERT INTO delivery VALUES('7562-1','240233-000','2018-08-01',1,NULL);
CREATE TABLE lastDeliveryNumber (value INTEGER NOT NULL) STRICT;
INSERT INTO lastDeliveryNumber VALUES(7562);
CREATE TABLE post (
    id INTEGER NOT NULL PRIMARY KEY,
    userID INTEGER NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO post VALUES(1,1,'The first barley of the year',replace('We cut the slope above the river this morning, a week earlier than last summer.\nThirteen and a half per cent of moisture at noon, so the dryer stays cold for now.','\n',char(10)));
INSERT INTO post VALUES(2,1,'Why we start with the headlands',replace('The ends of a field ripen unevenly because every machine turns there.\nCutting them first gives us room, and the mixed grain goes into one trailer of its own.','\n',char(10)));
INSERT INTO post VALUES(3,1,'Forty hectares in a day',replace('Two combines, three trailers and nobody waiting: that was yesterday.\nThe trick was not speed but parking the empty trailer where the next turn would end.','\n',char(10)));
INSERT INTO post VALUES(4,1,'A stone in the header',replace('One flint the size of a fist cost us four hours and eleven knives.\nWe now walk the two fields that were ploughed deepest before the machine goes in.','\n',char(10)));
INSERT INTO post VALUES(5,1,'Night harvest, and when to stop',replace('Straw gets tough after ten in the evening, and the losses behind the combine double.\nWe stop when the sieve sounds different, not when the clock says so.','\n',char(10)));
INSERT INTO post VALUES(6,1,'What the yield map did not show',replace('The map blamed the soil for the poor corner behind the wood.\nIt was deer. A fence for two seasons brought the corner back to average.','\n',char(10)));
INSERT INTO post VALUES(7,1,'Changing from barley to wheat',replace('Cleaning a combine between crops takes three people ninety minutes if it is done well.\nA handful of barley in a wheat sample is enough for an argument at the silo.','\n',char(10)));
INSERT INTO post VALUES(8,1,'Rain at four o''clock',replace('The forecast said six, the sky said four, and we believed the sky.\nThe last trailer was covered with the first drops on the windscreen.','\n',char(10)));
INSERT INTO post VALUES(9,1,'Straw is a crop as well',replace('Neighbours with cattle reserve their bales in June now, before anybody has seen the straw.\nWe bale what they asked for and chop the rest for the soil.','\n',char(10)));
INSERT INTO post VALUES(10,1,'The last field of the season',replace('It is always the small one with the oak in the middle.\nEveryone comes to see it cut, and then nobody knows what to do with the evening.','\n',char(10)));
INSERT INTO post VALUES(11,2,'A lorry that came on the wrong day',replace('The driver had the right order and last week''s date, printed on paper.\nSince then the date is read aloud at the gate, and it has not happened again.','\n',char(10)));
INSERT INTO post VALUES(12,2,'How many lorries fit into a morning',replace('Our yard takes nine between seven and noon, whatever the plan says.\nThe tenth waits an hour and the driver tells everyone about it.','\n',char(10)));
INSERT INTO post VALUES(13,2,'Thirty tonnes in three loads',replace('A contract of exactly thirty tonnes sounds easy until the third lorry is half empty.\nWe fill the small one last, so that the remainder is known before it leaves.','\n',char(10)));
INSERT INTO post VALUES(14,2,'The bridge with the low limit',replace('Twenty-six tonnes is the limit on the short way, and forty on the long one.\nThe long way is nineteen minutes more and has never yet cost us a fine.','\n',char(10)));
INSERT INTO post VALUES(15,2,'Booking a slot at the silo',replace('Slots of fifteen minutes are too short for a trailer with a narrow hatch.\nThe silo gave us twenty-five on request; it was enough to ask.','\n',char(10)));
INSERT INTO post VALUES(16,2,'Empty kilometres',replace('Four lorries in ten drove home with nothing in them last autumn.\nFertiliser on the way back brought it down to two, and paid for the tarpaulins.','\n',char(10)));
INSERT INTO post VALUES(17,2,'Tarpaulins, again',replace('A load that leaves at thirteen per cent arrives at fifteen if it rains on it for an hour.\nThe new covers close in forty seconds, and a driver needs no ladder.','\n',char(10)));
INSERT INTO post VALUES(18,2,'When a driver cannot find the farm',replace('Addresses here name a village, and the village is eight kilometres long.\nWe now send a position with every order, and the number of the person at the gate.','\n',char(10)));
INSERT INTO post VALUES(19,2,'Two windows for one contract',replace('The buyer wanted July and the mill wanted August, so the contract now runs over both.\nWhat is left in the last week is everybody''s problem, and we plan that week first.','\n',char(10)));
INSERT INTO post VALUES(20,2,'Rescheduling without telephone calls',replace('Moving a delivery to another day used to take three calls and end in a misunderstanding.\nNow it is one tap, and everyone who looks at the contract sees it move.','\n',char(10)));
INSERT INTO post VALUES(21,3,'Gross, tare, net',replace('The bridge only ever knows gross and tare; what is paid for is the difference.\nSo we weigh every lorry twice, even those that came empty an hour ago.','\n',char(10)));
INSERT INTO post VALUES(22,3,'Why weights come in steps of twenty',replace('A road weighbridge is verified in steps of twenty kilograms, so no ticket ends in seven.\nIf one does, someone typed it.','\n',char(10)));
INSERT INTO post VALUES(23,3,'A lorry that lost sixty kilograms',replace('It had not lost grain, it had burned diesel while it waited in the queue.\nWeigh empty as soon as the hopper closes, not after lunch.','\n',char(10)));
INSERT INTO post VALUES(24,3,'Verification day',replace('Once a year a lorry full of iron weights stands on the bridge for a morning.\nThe bridge was right to within one step at every load, and has a new seal.','\n',char(10)));
INSERT INTO post VALUES(25,3,'The ticket that nobody signed',replace('An unsigned ticket is a scheduled delivery, not a weighed one, whatever the display said.\nThe list now shows the two in different type, and the questions have stopped.','\n',char(10)));
INSERT INTO post VALUES(26,3,'Wind on the weighbridge',replace('A gust against a high trailer moves the display by forty kilograms.\nWait for three equal readings; it takes five seconds and saves a dispute.','\n',char(10)));
INSERT INTO post VALUES(27,3,'Five per cent more than agreed',replace('Nature does not load to the kilogram, so contracts allow a little more in the end.\nBeyond five per cent the surplus needs a contract of its own.','\n',char(10)));
INSERT INTO post VALUES(28,3,'Mud counts as well',replace('After a wet week the wheels of one lorry carried ninety kilograms of field.\nIt came back to the field with the tare, but only because we weighed it empty again.','\n',char(10)));
INSERT INTO post VALUES(29,3,'Reading a bridge from the office',replace('The display is now on the network, and the weight appears in the list without typing.\nThe first thing that we noticed was how many typing errors there had been.','\n',char(10)));
INSERT INTO post VALUES(30,3,'A queue of eleven',replace('The bridge needs two minutes and the sampling five, so the bridge was never the trouble.\nA second sampling lance halved the queue for the price of a set of tyres.','\n',char(10)));
INSERT INTO post VALUES(31,4,'A list that jumps is a list that lies',replace('If rows move while a thumb is on its way down, the wrong row gets tapped.\nKeep what the reader sees in place, and let news arrive above or below it.','\n',char(10)));
INSERT INTO post VALUES(32,4,'Reload is not an update',replace('Reloading a table shows the right rows and forgets where the reader was.\nInsert, delete and move what changed, and nobody notices that anything happened.','\n',char(10)));
INSERT INTO post VALUES(33,4,'Empty states deserve a sentence',replace('A blank screen could mean no data, no network or no permission.\nSay which, and put the one useful button below it.','\n',char(10)));
INSERT INTO post VALUES(34,4,'Section headers do the counting',replace('Three deliveries, thirty tonnes: the header answers the question before it is asked.\nThen the rows can be about what differs between them.','\n',char(10)));
INSERT INTO post VALUES(35,4,'The cell that knew too much',replace('Ours fetched its own picture, formatted its own date and decided who could tap it.\nIt now receives three strings, and has had no bug since spring.','\n',char(10)));
INSERT INTO post VALUES(36,4,'How tall is a row',replace('Measure text once for a width and remember it; asking again while scrolling is too late.\nThe rows of a day with forty deliveries are all of one height anyway.','\n',char(10)));
INSERT INTO post VALUES(37,4,'Pull to refresh, and why we removed it',replace('It was there because people did not trust the list to be current.\nOnce changes arrived by themselves, they stopped pulling within a month.','\n',char(10)));
INSERT INTO post VALUES(38,4,'Swipe actions nobody found',replace('Half of our testers never swiped a row in their lives.\nWhat can be done with a row now stands in its menu as well, with words.','\n',char(10)));
INSERT INTO post VALUES(39,4,'Selecting by accident',replace('A row without a destination should not light up when touched.\nIf it lights up, people wait for something to open, and then they tap harder.','\n',char(10)));
INSERT INTO post VALUES(40,4,'Scrolling back to where you were',replace('After a detail has been read, the list should be exactly as it was left.\nThat is easy while rows keep their identity, and hopeless when they are only positions.','\n',char(10)));
INSERT INTO post VALUES(41,5,'Screens that come from the server',replace('We moved the list logic out of three apps and into one place.\nA new rule for cancelled orders reached every telephone by lunch, without a release.','\n',char(10)));
INSERT INTO post VALUES(42,5,'Send the difference',replace('The whole list is two hundred kilobytes, and what changed since breakfast is four hundred bytes.\nA client that says which version it has can be told just that.','\n',char(10)));
INSERT INTO post VALUES(43,5,'What a version should name',replace('Not the time of the request, and not the revision of the code, but the content.\nIf two answers read the same, they should carry the same name.','\n',char(10)));
INSERT INTO post VALUES(44,5,'A move is not a delete and an insert',replace('On paper they give the same list; on a screen one glides and the other blinks.\nA text field that is being edited survives the first and not the second.','\n',char(10)));
INSERT INTO post VALUES(45,5,'Slow readers',replace('One tablet in the machine shed is always thirty seconds behind.\nIt is told what lies between its version and the newest, and never the steps in between.','\n',char(10)));
INSERT INTO post VALUES(46,5,'The day the cache was too clever',replace('It kept a total that nobody had told about a correction.\nNow what reads data says so while it reads, and forgetting to say it is impossible.','\n',char(10)));
INSERT INTO post VALUES(47,5,'Two people, one row',replace('She moved the delivery to Thursday while he was weighing it on Wednesday.\nThe server took both, in order, and each saw what the other had done.','\n',char(10)));
INSERT INTO post VALUES(48,5,'Restarting at noon',replace('We replaced the server in the middle of a working day to see who would complain.\nClients came back with their versions, got their small differences and nobody called.','\n',char(10)));
INSERT INTO post VALUES(49,5,'Rules belong beside the data',replace('An app that checks a limit is polite; a server that checks it is right.\nKeep the polite check if you like, and test the other one.','\n',char(10)));
INSERT INTO post VALUES(50,5,'Old apps never leave',replace('There is a telephone in cabin two that was last updated three years ago.\nIt still works, because what we send it has only ever gained things it can ignore.','\n',char(10)));
INSERT INTO post VALUES(51,6,'Cooling grain with night air',replace('A ventilator that runs from two to six in the morning brings a bin down by a degree a night.\nBy October it is at twelve degrees, and the insects have given up.','\n',char(10)));
INSERT INTO post VALUES(52,6,'The smell at the hatch',replace('Before any probe, open the hatch and breathe in: sound grain smells of almost nothing.\nSweet is early trouble, and sour means it is time to move the bin.','\n',char(10)));
INSERT INTO post VALUES(53,6,'Probes at three depths',replace('The top warms in the sun and the bottom lies on cold concrete; the middle tells the truth.\nWe read all three, and act on the middle.','\n',char(10)));
INSERT INTO post VALUES(54,6,'Keeping varieties apart',replace('Malting barley is worth more than feed barley until somebody mixes the two.\nEvery bin has one name on its door, and the name goes out with the last kilogram.','\n',char(10)));
INSERT INTO post VALUES(55,6,'An auger that ground the grain',replace('Running half empty, it broke four kernels in a hundred.\nFill it or slow it down; it is the space between that does the harm.','\n',char(10)));
INSERT INTO post VALUES(56,6,'What fits into bin seven',replace('The plate says five hundred tonnes, which is true of wheat and far from true of oats.\nWe wrote the four figures that matter beside the plate.','\n',char(10)));
INSERT INTO post VALUES(57,6,'Mice, cats and seals',replace('A cat is good company and no plan.\nRubber seals on nine doors did in a week what the cat had not done in years.','\n',char(10)));
INSERT INTO post VALUES(58,6,'Emptying the last tonne',replace('The cone holds a tonne that does not flow by itself, and it is always the oldest.\nNobody goes in alone, nobody goes in without a rope, and nobody goes in while it turns.','\n',char(10)));
INSERT INTO post VALUES(59,6,'Drying costs more than waiting',replace('From eighteen per cent to fourteen takes as much gas as the margin of the load.\nTwo dry days in the forecast are worth leaving it on the stalk.','\n',char(10)));
INSERT INTO post VALUES(60,6,'The inventory that matched',replace('For the first time the bins, the tickets and the ledger agreed to within a tonne.\nWe checked it twice, because none of us believed it.','\n',char(10)));
INSERT INTO post VALUES(61,7,'Reading a contract from the bottom',replace('The price is on the first page and the reasons for lowering it are on the last.\nWe start with the last one, and ask our questions before we sign.','\n',char(10)));
INSERT INTO post VALUES(62,7,'Price now or price later',replace('Selling a third at sowing, a third at harvest and a third in winter has no cleverness in it.\nIt has let us sleep through four very different years.','\n',char(10)));
INSERT INTO post VALUES(63,7,'What discounted means',replace('The grain was delivered and accepted, and something in the sample was below the agreement.\nThe price is lowered by a table that both sides knew beforehand.','\n',char(10)));
INSERT INTO post VALUES(64,7,'A contract number is not a name',replace('On the telephone everybody says Planet or Rubisko, and there were three of each.\nThe list shows the name large and the number small, and both can be searched.','\n',char(10)));
INSERT INTO post VALUES(65,7,'Half a lorry too much',replace('The contract was full and fourteen tonnes stood in the yard with the engine running.\nAn afternoon of calls made it a new contract; a look at the total would have been quicker.','\n',char(10)));
INSERT INTO post VALUES(66,7,'Delivery windows, seen from the mill',replace('A mill wants the same quantity every week, and farms want to deliver everything in July.\nThe window is where the two meet, and a premium for September moves it along.','\n',char(10)));
INSERT INTO post VALUES(67,7,'When both sides keep a list',replace('Ours said twenty-six tonnes and theirs said twenty-five nine hundred and eighty.\nThey were both right: theirs was weighed and ours was planned.','\n',char(10)));
INSERT INTO post VALUES(68,7,'Signing on a telephone',replace('The buyer signed in a train and the seller in a stable, within the same quarter of an hour.\nThe paper copy followed a week later and is in a drawer that no one opens.','\n',char(10)));
INSERT INTO post VALUES(69,7,'Cancelling early is a courtesy',replace('A slot that is freed the evening before finds someone else; one freed at the gate does not.\nWe thank people for early cancellations, and there are more of them now.','\n',char(10)));
INSERT INTO post VALUES(70,7,'The small contracts matter',replace('Ten tonnes of peas take as much paper as a thousand tonnes of wheat.\nBut the farm with the peas is the one that told two neighbours about us.','\n',char(10)));
INSERT INTO post VALUES(71,8,'Three forecasts and a window',replace('Each of the three services is right about a third of the time, and rarely on the same day.\nWhen all of them agree, we plan; otherwise we look out of the window.','\n',char(10)));
INSERT INTO post VALUES(72,8,'Dew until eleven',replace('There was no rain this week, and still no combine moved before noon.\nThe valley keeps its dew two hours longer than the hill, so the hill goes first.','\n',char(10)));
INSERT INTO post VALUES(73,8,'Hail has an edge',replace('On one side of the lane every ear was down, and on the other not a leaf was torn.\nThe adjuster walked the line with us and drew it on the map.','\n',char(10)));
INSERT INTO post VALUES(74,8,'A dry May',replace('Eleven millimetres in thirty-one days; the barley hurried and the wheat waited.\nIt was the wheat that was right.','\n',char(10)));
INSERT INTO post VALUES(75,8,'Measuring rain in five places',replace('Our gauges stand four kilometres apart and disagree by half.\nThe shower that saved the rape never reached the beans.','\n',char(10)));
INSERT INTO post VALUES(76,8,'Wind and spraying',replace('Above nineteen kilometres an hour the work stops, whatever the calendar wanted.\nMost of the good hours are before breakfast anyway.','\n',char(10)));
INSERT INTO post VALUES(77,8,'Frost in the low corner',replace('Cold air flows like water and collects behind the hedge.\nA gap of three metres in that hedge let it drain, and the corner flowered with the rest.','\n',char(10)));
INSERT INTO post VALUES(78,8,'The warmest February',replace('Aphids that should have died flew in March.\nWe looked at the yellow traps twice a week, and treated one field out of six.','\n',char(10)));
INSERT INTO post VALUES(79,8,'Fog on the road to the port',replace('Six lorries left at five and arrived at nine, instead of seven.\nThe port had kept their slots, because somebody had moved them in the plan by half past five.','\n',char(10)));
INSERT INTO post VALUES(80,8,'What the old diary says',replace('My grandfather wrote the weather down every evening for forty-one years.\nHe complains about the same week in August that we complain about.','\n',char(10)));
INSERT INTO post VALUES(81,9,'A test that waits is a test that fails on Fridays',replace('Half a second was always enough, until the machine was busy.\nWait for the event that you mean, and the clock is no longer part of the test.','\n',char(10)));
INSERT INTO post VALUES(82,9,'Break it once on purpose',replace('A test that has never been red has not been tested.\nChange one sign in the code, watch which tests notice, and change it back.','\n',char(10)));
INSERT INTO post VALUES(83,9,'Random input with a name',replace('Two thousand random lists found a fault that we would not have thought of.\nThe seed was in the report, so it took a minute to see it again.','\n',char(10)));
INSERT INTO post VALUES(84,9,'Counting instead of timing',replace('A stopwatch in a test measures the neighbour''s build.\nCount comparisons, rows or bytes, and the number is the same on every machine.','\n',char(10)));
INSERT INTO post VALUES(85,9,'The fixture that everybody edited',replace('It had grown to nine hundred lines, and each test needed four of them.\nNow each test says its four lines itself, and the file is gone.','\n',char(10)));
INSERT INTO post VALUES(86,9,'Names of tests are sentences',replace('When one fails at night, its name is all that the person on duty sees.\nA moved row keeps its text: that can be understood at three in the morning.','\n',char(10)));
INSERT INTO post VALUES(87,9,'The fault was in the test data',replace('Our sample contract ended on the thirty-first of June.\nThe code was right to refuse it, and we had spent a day making it accept.','\n',char(10)));
INSERT INTO post VALUES(88,9,'Testing the way back',replace('Apply the change to the old list, and compare with the new one: that is the whole test.\nIt knows nothing about how the change was found, and so it survived two rewrites.','\n',char(10)));
INSERT INTO post VALUES(89,9,'Cutting the power',replace('We stopped the process two hundred times in the middle of a write.\nEach time the file opened again with all that had been promised, and nothing by halves.','\n',char(10)));
INSERT INTO post VALUES(90,9,'A bug report with a picture',replace('The picture showed the clock, the battery and the row that appeared twice.\nFrom the clock we found the request, and from the request the two deliveries with one number.','\n',char(10)));
INSERT INTO post VALUES(91,10,'Protein, and where it goes',replace('The early nitrogen makes straw and the late one makes protein.\nA baker wants twelve per cent, and a maltster is happy below eleven.','\n',char(10)));
INSERT INTO post VALUES(92,10,'Sampling is most of the result',replace('The laboratory is precise to a tenth, and the handful from the top of the trailer is not.\nEight probes across the load, mixed and divided, and the arguments have ended.','\n',char(10)));
INSERT INTO post VALUES(93,10,'Germination in three days',replace('Malting barley has to be alive: ninety-five grains in a hundred must sprout.\nWe keep a dish of each bin on the office windowsill, with the date on its lid.','\n',char(10)));
INSERT INTO post VALUES(94,10,'The falling number',replace('A rod sinks through warm paste, and the seconds that it takes say whether wheat will bake.\nAfter a wet harvest it sinks like a stone, and so does the price.','\n',char(10)));
INSERT INTO post VALUES(95,10,'Specific weight',replace('A litre of good wheat weighs seven hundred and eighty grams.\nIt is the oldest test that we have, and still the first that a buyer asks for.','\n',char(10)));
INSERT INTO post VALUES(96,10,'Broken kernels',replace('They count as impurities from three per cent on.\nSlowing the drum by fifty turns a minute made the difference for a whole harvest.','\n',char(10)));
INSERT INTO post VALUES(97,10,'Calibrating the moisture meter',replace('Ours read four tenths too dry, which sounds like little and was eleven lorries'' worth of water.\nIt now goes to the laboratory each June with three samples.','\n',char(10)));
INSERT INTO post VALUES(98,10,'Colour is not quality, but',replace('Rain before harvest bleaches barley, and nothing else about it changes.\nThe buyer still looks at it twice, and we send the analysis before the sample.','\n',char(10)));
INSERT INTO post VALUES(99,10,'What a mycotoxin limit looks like',replace('It is a number in millionths, and it decides over a hundred tonnes.\nRotation and ploughing do more for it than anything that comes in a can.','\n',char(10)));
INSERT INTO post VALUES(100,10,'Keeping a sample for a year',replace('A kilogram of each load stands sealed in a cellar at twelve degrees.\nIt has been needed twice in ten years, and both times it was worth the cellar.','\n',char(10)));
INSERT INTO post VALUES(101,11,'The gate at seven in the morning',replace('Marta knows every driver by the sound of the engine.\nA system that replaces her list has to be at least as quick as her pencil.','\n',char(10)));
INSERT INTO post VALUES(102,11,'Learning the app in the shed',replace('Nobody reads instructions with gloves on.\nWe watched for an hour, made two buttons larger and removed a question.','\n',char(10)));
INSERT INTO post VALUES(103,11,'A meeting without slides',replace('Four growers, two drivers and the mill sat around the printed list of last week.\nThe three changes that came out of it cost a day, and are used every hour.','\n',char(10)));
INSERT INTO post VALUES(104,11,'Whose password is it',replace('Six people shared one account, and the name on every change was the same.\nEach has an own account now, and it took one morning and a box of pastries.','\n',char(10)));
INSERT INTO post VALUES(105,11,'The apprentice asks why',replace('Why is the tare entered by hand if the bridge measured it an hour ago?\nNone of us had a good answer, so the field is gone.','\n',char(10)));
INSERT INTO post VALUES(106,11,'Two languages in one yard',replace('Half of the drivers read French and the others English, and all of them read numbers.\nDates were the real trouble: the seventh of December arrived in July.','\n',char(10)));
INSERT INTO post VALUES(107,11,'Handing over on Friday',replace('Whoever leaves writes three lines: what is open, what is late, who was promised what.\nMonday begins at seven now, and not at ten.','\n',char(10)));
INSERT INTO post VALUES(108,11,'A complaint is a measurement',replace('He said that the list was slow, and it was quick on every device we owned.\nOn his it was not: four years old, and two bars of signal behind the hill.','\n',char(10)));
INSERT INTO post VALUES(109,11,'Retirement of a notebook',replace('For twenty years the deliveries stood in a green notebook with a string.\nWe keep it beside the screen, and now and then somebody still checks.','\n',char(10)));
INSERT INTO post VALUES(110,11,'Thanking the night shift',replace('Forty-three lorries were unloaded between midnight and six.\nThe list showed it in the morning, and it deserved more than a list.','\n',char(10)));
INSERT INTO post VALUES(111,12,'A tonne has a thousand kilograms',replace('Store the kilograms as whole numbers, and every sum comes out exact.\nTonnes with a point or a comma are for people, and are made at the last moment.','\n',char(10)));
INSERT INTO post VALUES(112,12,'The date without a time',replace('A delivery on the twelfth of July is on the twelfth everywhere.\nGive it an hour and a zone, and in some country it moves to the eleventh.','\n',char(10)));
INSERT INTO post VALUES(113,12,'Sorting names with accents',replace('To most machines Épeautre comes after Seigle, and to all readers before Fève.\nSort for the reader''s language, and search without the accents.','\n',char(10)));
INSERT INTO post VALUES(114,12,'Plural is harder than it looks',replace('One delivery, two deliveries; in French, zero delivery as well.\nLet the language decide, and never glue an s to a word.','\n',char(10)));
INSERT INTO post VALUES(115,12,'Rounding in public',replace('Three loads of 10.3 tonnes were shown as 10, and their total as 31.\nRound what is shown and never what is added, and show one digit more than you like.','\n',char(10)));
INSERT INTO post VALUES(116,12,'Identifiers are for keeping',replace('A number that was given to a cancelled delivery is not given to another one.\nSooner or later somebody looks for the first, and finds the second.','\n',char(10)));
INSERT INTO post VALUES(117,12,'The empty string and the missing one',replace('No name yet and a name of no letters look the same on paper.\nDecide which of them you mean, once, and write it down beside the field.','\n',char(10)));
INSERT INTO post VALUES(118,12,'Units in the heading',replace('Putting t after every weight filled a narrow column with the letter t.\nIt now stands once, at the top, and the digits line up.','\n',char(10)));
INSERT INTO post VALUES(119,12,'Percent of what',replace('Five per cent above the contract is not five per cent above what was delivered.\nThe sentence got longer, and the telephone calls got shorter.','\n',char(10)));
INSERT INTO post VALUES(120,12,'How long is a long list',replace('Two thousand deliveries look like a lot until someone looks for theirs by its date.\nA day as a heading, a number in bold, and it takes four seconds.','\n',char(10)));
CREATE TABLE mountain (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    metres INTEGER NOT NULL,
    englishRange TEXT,
    frenchRange TEXT,
    countries TEXT NOT NULL
) STRICT;
INSERT INTO mountain VALUES('mont-blanc','Mont Blanc',4806,'Alps','Alpes','FR IT');
INSERT INTO mountain VALUES('dufourspitze','Dufourspitze',4634,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('dom','Dom',4545,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('taeschhorn','Täschhorn',4491,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('matterhorn','Matterhorn',4478,'Alps','Alpes','CH IT');
INSERT INTO mountain VALUES('finsteraarhorn','Finsteraarhorn',4274,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('zinalrothorn','Zinalrothorn',4221,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('grandes-jorasses','Grandes Jorasses',4208,'Alps','Alpes','FR IT');
INSERT INTO mountain VALUES('jungfrau','Jungfrau',4158,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('aiguille-verte','Aiguille Verte',4122,'Alps','Alpes','FR');
INSERT INTO mountain VALUES('moench','Mönch',4110,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('barre-des-ecrins','Barre des Écrins',4102,'Alps','Alpes','FR');
INSERT INTO mountain VALUES('gran-paradiso','Gran Paradiso',4061,'Alps','Alpes','IT');
INSERT INTO mountain VALUES('piz-bernina','Piz Bernina',4049,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('dent-du-geant','Dent du Géant',4013,'Alps','Alpes','FR IT');
INSERT INTO mountain VALUES('eiger','Eiger',3967,'Alps','Alpes','CH');
INSERT INTO mountain VALUES('ortler','Ortler',3905,'Alps','Alpes','IT');
INSERT INTO mountain VALUES('grande-casse','Grande Casse',3855,'Alps','Alpes','FR');
INSERT INTO mountain VALUES('aiguille-du-midi','Aiguille du Midi',3842,'Alps','Alpes','FR');
INSERT INTO mountain VALUES('monviso','Monviso',3841,'Alps','Alpes','IT');
CREATE TABLE artist (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    englishGenre TEXT NOT NULL,
    frenchGenre TEXT NOT NULL,
    englishBiography TEXT NOT NULL,
    frenchBiography TEXT NOT NULL
) STRICT;
INSERT INTO artist VALUES('elin-fauvel','Elin Fauvel','Chamber folk','Folk de chambre','Elin Fauvel grew up in a lock-keeper''s house on a canal, where barges brought the news and the records. She learnt the accordion from a boatman and the viola from a teacher who came by train every second Thursday. Her songs are about water, timetables and people who wait for one of the two.','Elin Fauvel a grandi dans une maison éclusière, où les péniches apportaient les nouvelles et les disques. Un marinier lui a appris l’accordéon, et une professeure qui venait par le train un jeudi sur deux, l’alto. Ses chansons parlent de l’eau, des horaires et de ceux qui attendent l’une ou les autres.');
CREATE TABLE album (
    id TEXT NOT NULL PRIMARY KEY,
    artist TEXT NOT NULL REFERENCES artist (id),
    title TEXT NOT NULL,
    year INTEGER NOT NULL,
    isNew INTEGER NOT NULL,
    isExplicit INTEGER NOT NULL
) STRICT;
INSERT INTO album VALUES('high-water','elin-fauvel','High Water',2008,0,0);
INSERT INTO album VALUES('every-second-thursday','elin-fauvel','Every Second Thursday',2010,0,0);
INSERT INTO album VALUES('la-maison-eclusiere','elin-fauvel','La Maison éclusière',2012,0,0);
INSERT INTO album VALUES('salt-and-brackish','elin-fauvel','Salt and Brackish',2014,0,1);
INSERT INTO album VALUES('timetables','elin-fauvel','Timetables',2016,0,0);
INSERT INTO album VALUES('low-water','elin-fauvel','Low Water',2018,0,1);
INSERT INTO album VALUES('songs-for-one-room','elin-fauvel','Songs for One Room',2020,0,0);
INSERT INTO album VALUES('drift-ice','elin-fauvel','Drift Ice',2023,0,0);
INSERT INTO album VALUES('the-lamp-at-lock-nine','elin-fauvel','The Lamp at Lock Nine',2026,1,0);
INSERT INTO album VALUES('unquiet-waters','elin-fauvel','Unquiet Waters',2026,1,1);
CREATE TABLE track (
    album TEXT NOT NULL REFERENCES album (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    plays INTEGER NOT NULL,
    PRIMARY KEY (album, number)
) STRICT;
INSERT INTO track VALUES('high-water',1,'First Lock',222,1204310);
INSERT INTO track VALUES('high-water',2,'The Keeper''s Daughter',245,310822);
INSERT INTO track VALUES('high-water',3,'Slow Barge',178,287410);
INSERT INTO track VALUES('high-water',4,'High Water',311,198334);
INSERT INTO track VALUES('high-water',5,'Rope and Bollard',200,154209);
INSERT INTO track VALUES('every-second-thursday',1,'Platform Two',183,842117);
INSERT INTO track VALUES('every-second-thursday',2,'The Viola Teacher',267,290553);
INSERT INTO track VALUES('every-second-thursday',3,'Every Second Thursday',216,912740);
INSERT INTO track VALUES('every-second-thursday',4,'Rosin',161,133870);
INSERT INTO track VALUES('every-second-thursday',5,'The Return Ticket',362,120466);
INSERT INTO track VALUES('every-second-thursday',6,'Late, but Not Cancelled',195,118902);
INSERT INTO track VALUES('la-maison-eclusiere',1,'La Maison éclusière',230,674001);
INSERT INTO track VALUES('la-maison-eclusiere',2,'Le Marinier',252,208455);
INSERT INTO track VALUES('la-maison-eclusiere',3,'Un accordéon sous la pluie',188,571298);
INSERT INTO track VALUES('la-maison-eclusiere',4,'Vannes ouvertes',175,99310);
INSERT INTO track VALUES('salt-and-brackish',1,'Where the River Stops',213,455120);
INSERT INTO track VALUES('salt-and-brackish',2,'Damn This Tide',284,189027);
INSERT INTO track VALUES('salt-and-brackish',3,'Estuary Blues',181,143365);
INSERT INTO track VALUES('salt-and-brackish',4,'Brackish',329,90718);
INSERT INTO track VALUES('salt-and-brackish',5,'A Mouthful of Salt',157,88241);
CREATE TABLE wifi (
    user TEXT NOT NULL PRIMARY KEY,
    isOn INTEGER NOT NULL,
    joinedNetwork TEXT
) STRICT;
CREATE INDEX receiptByAge ON "grdb_relist_receipt" (performedAt);
CREATE INDEX versionByUse ON "grdb_relist_version" (usedAt, byteCount, audience, view);
CREATE INDEX deliveryByDay ON delivery (contract, day, id);
CREATE INDEX albumByYear ON album (artist, year, id);
COMMIT;
