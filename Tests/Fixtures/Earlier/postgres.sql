CREATE SCHEMA example;
CREATE SCHEMA relist;
CREATE TABLE example.album (
    id text NOT NULL COLLATE pg_catalog."C",
    artist text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    year bigint NOT NULL,
    is_new boolean NOT NULL,
    is_explicit boolean NOT NULL
);
CREATE TABLE example.artist (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    english_genre text NOT NULL,
    french_genre text NOT NULL,
    english_biography text NOT NULL,
    french_biography text NOT NULL
);
CREATE TABLE example.contract (
    number text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    date text NOT NULL,
    status text NOT NULL,
    contracted_kilograms bigint NOT NULL,
    first_day text NOT NULL,
    last_day text NOT NULL
);
CREATE TABLE example.delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    contract text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    scheduled_kilograms bigint NOT NULL,
    weighed_kilograms bigint
);
CREATE SEQUENCE example.delivery_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE example.inserted (
    part bigint NOT NULL
);
CREATE TABLE example.mountain (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    metres bigint NOT NULL,
    english_range text,
    french_range text,
    countries text NOT NULL
);
CREATE TABLE example.post (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    title text NOT NULL,
    body text NOT NULL
);
CREATE TABLE example.posts_feed (
    upstream text NOT NULL,
    state text NOT NULL
);
CREATE TABLE example.profile (
    user_id text NOT NULL,
    first_name text NOT NULL,
    family_name text NOT NULL,
    email text NOT NULL,
    has_password boolean NOT NULL,
    is_connected boolean NOT NULL
);
CREATE TABLE example.track (
    album text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    title text NOT NULL,
    seconds bigint NOT NULL,
    plays bigint NOT NULL
);
CREATE TABLE example.wifi (
    user_id text NOT NULL,
    is_on boolean NOT NULL,
    joined_network text
);
CREATE TABLE relist.announcement (
    "position" bigint NOT NULL,
    topics text NOT NULL,
    announced_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE relist.migration (
    name text NOT NULL
);
CREATE SEQUENCE relist."position"
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE relist.receipt (
    key bytea NOT NULL,
    request bytea NOT NULL,
    performed_at bigint NOT NULL
);
CREATE TABLE relist.secret (
    byte_count integer NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE relist.version (
    id bigint NOT NULL,
    key bytea NOT NULL,
    audience bytea NOT NULL,
    view bigint NOT NULL,
    outline bytea NOT NULL,
    byte_count bigint NOT NULL,
    used_at bigint NOT NULL
);
ALTER TABLE ONLY relist.version ALTER COLUMN outline SET STORAGE EXTERNAL;
ALTER TABLE relist.version ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME relist.version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO example.album VALUES ('high-water', 'elin-fauvel', 'High Water', 2008, false, false);
INSERT INTO example.album VALUES ('every-second-thursday', 'elin-fauvel', 'Every Second Thursday', 2010, false, false);
INSERT INTO example.album VALUES ('la-maison-eclusiere', 'elin-fauvel', 'La Maison éclusière', 2012, false, false);
INSERT INTO example.album VALUES ('salt-and-brackish', 'elin-fauvel', 'Salt and Brackish', 2014, false, true);
INSERT INTO example.album VALUES ('timetables', 'elin-fauvel', 'Timetables', 2016, false, false);
INSERT INTO example.album VALUES ('low-water', 'elin-fauvel', 'Low Water', 2018, false, true);
INSERT INTO example.album VALUES ('songs-for-one-room', 'elin-fauvel', 'Songs for One Room', 2020, false, false);
INSERT INTO example.album VALUES ('drift-ice', 'elin-fauvel', 'Drift Ice', 2023, false, false);
INSERT INTO example.album VALUES ('the-lamp-at-lock-nine', 'elin-fauvel', 'The Lamp at Lock Nine', 2026, true, false);
INSERT INTO example.album VALUES ('unquiet-waters', 'elin-fauvel', 'Unquiet Waters', 2026, true, true);
INSERT INTO example.artist VALUES ('elin-fauvel', 'Elin Fauvel', 'Chamber folk', 'Folk de chambre', 'Elin Fauvel grew up in a lock-keeper''s house on a canal, where barges brought the news and the records. She learnt the accordion from a boatman and the viola from a teacher who came by train every second Thursday. Her songs are about water, timetables and people who wait for one of the two.', 'Elin Fauvel a grandi dans une maison éclusière, où les péniches apportaient les nouvelles et les disques. Un marinier lui a appris l’accordéon, et une professeure qui venait par le train un jeudi sur deux, l’alto. Ses chansons parlent de l’eau, des horaires et de ceux qui attendent l’une ou les autres.');
INSERT INTO example.contract VALUES ('240189-000', 'ORGE PLANET', '2018-05-16', 'discounted', 30000, '2018-07-01', '2018-08-31');
INSERT INTO example.contract VALUES ('240233-000', 'BLÉ TENDRE RUBISKO', '2018-06-04', 'agreed', 120000, '2018-08-01', '2018-09-30');
INSERT INTO example.contract VALUES ('240311-000', 'COLZA ARCHITECT', '2018-06-21', 'running', 90000, '2018-07-09', '2018-08-17');
INSERT INTO example.contract VALUES ('240402-000', 'POIS ASTRONAUTE', '2018-03-13', 'paid', 60000, '2018-06-25', '2018-07-31');
INSERT INTO example.contract VALUES ('240500-000', 'BLÉ TENDRE CHEVIGNON', '2018-04-24', 'running', 60000000, '2018-07-16', '2018-09-13');
INSERT INTO example.delivery VALUES ('7562-1', '240233-000', '2018-08-01', 1, NULL);
INSERT INTO example.inserted VALUES (1);
INSERT INTO example.inserted VALUES (2);
INSERT INTO example.inserted VALUES (3);
INSERT INTO example.mountain VALUES ('mont-blanc', 'Mont Blanc', 4806, 'Alps', 'Alpes', 'FR IT');
INSERT INTO example.mountain VALUES ('dufourspitze', 'Dufourspitze', 4634, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('dom', 'Dom', 4545, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('taeschhorn', 'Täschhorn', 4491, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('matterhorn', 'Matterhorn', 4478, 'Alps', 'Alpes', 'CH IT');
INSERT INTO example.mountain VALUES ('finsteraarhorn', 'Finsteraarhorn', 4274, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('zinalrothorn', 'Zinalrothorn', 4221, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('grandes-jorasses', 'Grandes Jorasses', 4208, 'Alps', 'Alpes', 'FR IT');
INSERT INTO example.mountain VALUES ('jungfrau', 'Jungfrau', 4158, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('aiguille-verte', 'Aiguille Verte', 4122, 'Alps', 'Alpes', 'FR');
INSERT INTO example.mountain VALUES ('moench', 'Mönch', 4110, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('barre-des-ecrins', 'Barre des Écrins', 4102, 'Alps', 'Alpes', 'FR');
INSERT INTO example.mountain VALUES ('gran-paradiso', 'Gran Paradiso', 4061, 'Alps', 'Alpes', 'IT');
INSERT INTO example.mountain VALUES ('piz-bernina', 'Piz Bernina', 4049, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('dent-du-geant', 'Dent du Géant', 4013, 'Alps', 'Alpes', 'FR IT');
INSERT INTO example.mountain VALUES ('eiger', 'Eiger', 3967, 'Alps', 'Alpes', 'CH');
INSERT INTO example.mountain VALUES ('ortler', 'Ortler', 3905, 'Alps', 'Alpes', 'IT');
INSERT INTO example.mountain VALUES ('grande-casse', 'Grande Casse', 3855, 'Alps', 'Alpes', 'FR');
INSERT INTO example.mountain VALUES ('aiguille-du-midi', 'Aiguille du Midi', 3842, 'Alps', 'Alpes', 'FR');
INSERT INTO example.mountain VALUES ('monviso', 'Monviso', 3841, 'Alps', 'Alpes', 'IT');
INSERT INTO example.post VALUES (1, 1, 'The first barley of the year', 'We cut the slope above the river this morning, a week earlier than last summer.
Thirteen and a half per cent of moisture at noon, so the dryer stays cold for now.');
INSERT INTO example.post VALUES (2, 1, 'Why we start with the headlands', 'The ends of a field ripen unevenly because every machine turns there.
Cutting them first gives us room, and the mixed grain goes into one trailer of its own.');
INSERT INTO example.post VALUES (3, 1, 'Forty hectares in a day', 'Two combines, three trailers and nobody waiting: that was yesterday.
The trick was not speed but parking the empty trailer where the next turn would end.');
INSERT INTO example.post VALUES (4, 1, 'A stone in the header', 'One flint the size of a fist cost us four hours and eleven knives.
We now walk the two fields that were ploughed deepest before the machine goes in.');
INSERT INTO example.post VALUES (5, 1, 'Night harvest, and when to stop', 'Straw gets tough after ten in the evening, and the losses behind the combine double.
We stop when the sieve sounds different, not when the clock says so.');
INSERT INTO example.post VALUES (6, 1, 'What the yield map did not show', 'The map blamed the soil for the poor corner behind the wood.
It was deer. A fence for two seasons brought the corner back to average.');
INSERT INTO example.post VALUES (7, 1, 'Changing from barley to wheat', 'Cleaning a combine between crops takes three people ninety minutes if it is done well.
A handful of barley in a wheat sample is enough for an argument at the silo.');
INSERT INTO example.post VALUES (8, 1, 'Rain at four o''clock', 'The forecast said six, the sky said four, and we believed the sky.
The last trailer was covered with the first drops on the windscreen.');
INSERT INTO example.post VALUES (9, 1, 'Straw is a crop as well', 'Neighbours with cattle reserve their bales in June now, before anybody has seen the straw.
We bale what they asked for and chop the rest for the soil.');
INSERT INTO example.post VALUES (10, 1, 'The last field of the season', 'It is always the small one with the oak in the middle.
Everyone comes to see it cut, and then nobody knows what to do with the evening.');
INSERT INTO example.post VALUES (11, 2, 'A lorry that came on the wrong day', 'The driver had the right order and last week''s date, printed on paper.
Since then the date is read aloud at the gate, and it has not happened again.');
INSERT INTO example.post VALUES (12, 2, 'How many lorries fit into a morning', 'Our yard takes nine between seven and noon, whatever the plan says.
The tenth waits an hour and the driver tells everyone about it.');
INSERT INTO example.post VALUES (13, 2, 'Thirty tonnes in three loads', 'A contract of exactly thirty tonnes sounds easy until the third lorry is half empty.
We fill the small one last, so that the remainder is known before it leaves.');
INSERT INTO example.post VALUES (14, 2, 'The bridge with the low limit', 'Twenty-six tonnes is the limit on the short way, and forty on the long one.
The long way is nineteen minutes more and has never yet cost us a fine.');
INSERT INTO example.post VALUES (15, 2, 'Booking a slot at the silo', 'Slots of fifteen minutes are too short for a trailer with a narrow hatch.
The silo gave us twenty-five on request; it was enough to ask.');
INSERT INTO example.post VALUES (16, 2, 'Empty kilometres', 'Four lorries in ten drove home with nothing in them last autumn.
Fertiliser on the way back brought it down to two, and paid for the tarpaulins.');
INSERT INTO example.post VALUES (17, 2, 'Tarpaulins, again', 'A load that leaves at thirteen per cent arrives at fifteen if it rains on it for an hour.
The new covers close in forty seconds, and a driver needs no ladder.');
INSERT INTO example.post VALUES (18, 2, 'When a driver cannot find the farm', 'Addresses here name a village, and the village is eight kilometres long.
We now send a position with every order, and the number of the person at the gate.');
INSERT INTO example.post VALUES (19, 2, 'Two windows for one contract', 'The buyer wanted July and the mill wanted August, so the contract now runs over both.
What is left in the last week is everybody''s problem, and we plan that week first.');
INSERT INTO example.post VALUES (20, 2, 'Rescheduling without telephone calls', 'Moving a delivery to another day used to take three calls and end in a misunderstanding.
Now it is one tap, and everyone who looks at the contract sees it move.');
INSERT INTO example.post VALUES (21, 3, 'Gross, tare, net', 'The bridge only ever knows gross and tare; what is paid for is the difference.
So we weigh every lorry twice, even those that came empty an hour ago.');
INSERT INTO example.post VALUES (22, 3, 'Why weights come in steps of twenty', 'A road weighbridge is verified in steps of twenty kilograms, so no ticket ends in seven.
If one does, someone typed it.');
INSERT INTO example.post VALUES (23, 3, 'A lorry that lost sixty kilograms', 'It had not lost grain, it had burned diesel while it waited in the queue.
Weigh empty as soon as the hopper closes, not after lunch.');
INSERT INTO example.post VALUES (24, 3, 'Verification day', 'Once a year a lorry full of iron weights stands on the bridge for a morning.
The bridge was right to within one step at every load, and has a new seal.');
INSERT INTO example.post VALUES (25, 3, 'The ticket that nobody signed', 'An unsigned ticket is a scheduled delivery, not a weighed one, whatever the display said.
The list now shows the two in different type, and the questions have stopped.');
INSERT INTO example.post VALUES (26, 3, 'Wind on the weighbridge', 'A gust against a high trailer moves the display by forty kilograms.
Wait for three equal readings; it takes five seconds and saves a dispute.');
INSERT INTO example.post VALUES (27, 3, 'Five per cent more than agreed', 'Nature does not load to the kilogram, so contracts allow a little more in the end.
Beyond five per cent the surplus needs a contract of its own.');
INSERT INTO example.post VALUES (28, 3, 'Mud counts as well', 'After a wet week the wheels of one lorry carried ninety kilograms of field.
It came back to the field with the tare, but only because we weighed it empty again.');
INSERT INTO example.post VALUES (29, 3, 'Reading a bridge from the office', 'The display is now on the network, and the weight appears in the list without typing.
The first thing that we noticed was how many typing errors there had been.');
INSERT INTO example.post VALUES (30, 3, 'A queue of eleven', 'The bridge needs two minutes and the sampling five, so the bridge was never the trouble.
A second sampling lance halved the queue for the price of a set of tyres.');
INSERT INTO example.post VALUES (31, 4, 'A list that jumps is a list that lies', 'If rows move while a thumb is on its way down, the wrong row gets tapped.
Keep what the reader sees in place, and let news arrive above or below it.');
INSERT INTO example.post VALUES (32, 4, 'Reload is not an update', 'Reloading a table shows the right rows and forgets where the reader was.
Insert, delete and move what changed, and nobody notices that anything happened.');
INSERT INTO example.post VALUES (33, 4, 'Empty states deserve a sentence', 'A blank screen could mean no data, no network or no permission.
Say which, and put the one useful button below it.');
INSERT INTO example.post VALUES (34, 4, 'Section headers do the counting', 'Three deliveries, thirty tonnes: the header answers the question before it is asked.
Then the rows can be about what differs between them.');
INSERT INTO example.post VALUES (35, 4, 'The cell that knew too much', 'Ours fetched its own picture, formatted its own date and decided who could tap it.
It now receives three strings, and has had no bug since spring.');
INSERT INTO example.post VALUES (36, 4, 'How tall is a row', 'Measure text once for a width and remember it; asking again while scrolling is too late.
The rows of a day with forty deliveries are all of one height anyway.');
INSERT INTO example.post VALUES (37, 4, 'Pull to refresh, and why we removed it', 'It was there because people did not trust the list to be current.
Once changes arrived by themselves, they stopped pulling within a month.');
INSERT INTO example.post VALUES (38, 4, 'Swipe actions nobody found', 'Half of our testers never swiped a row in their lives.
What can be done with a row now stands in its menu as well, with words.');
INSERT INTO example.post VALUES (39, 4, 'Selecting by accident', 'A row without a destination should not light up when touched.
If it lights up, people wait for something to open, and then they tap harder.');
INSERT INTO example.post VALUES (40, 4, 'Scrolling back to where you were', 'After a detail has been read, the list should be exactly as it was left.
That is easy while rows keep their identity, and hopeless when they are only positions.');
INSERT INTO example.post VALUES (41, 5, 'Screens that come from the server', 'We moved the list logic out of three apps and into one place.
A new rule for cancelled orders reached every telephone by lunch, without a release.');
INSERT INTO example.post VALUES (42, 5, 'Send the difference', 'The whole list is two hundred kilobytes, and what changed since breakfast is four hundred bytes.
A client that says which version it has can be told just that.');
INSERT INTO example.post VALUES (43, 5, 'What a version should name', 'Not the time of the request, and not the revision of the code, but the content.
If two answers read the same, they should carry the same name.');
INSERT INTO example.post VALUES (44, 5, 'A move is not a delete and an insert', 'On paper they give the same list; on a screen one glides and the other blinks.
A text field that is being edited survives the first and not the second.');
INSERT INTO example.post VALUES (45, 5, 'Slow readers', 'One tablet in the machine shed is always thirty seconds behind.
It is told what lies between its version and the newest, and never the steps in between.');
INSERT INTO example.post VALUES (46, 5, 'The day the cache was too clever', 'It kept a total that nobody had told about a correction.
Now what reads data says so while it reads, and forgetting to say it is impossible.');
INSERT INTO example.post VALUES (47, 5, 'Two people, one row', 'She moved the delivery to Thursday while he was weighing it on Wednesday.
The server took both, in order, and each saw what the other had done.');
INSERT INTO example.post VALUES (48, 5, 'Restarting at noon', 'We replaced the server in the middle of a working day to see who would complain.
Clients came back with their versions, got their small differences and nobody called.');
INSERT INTO example.post VALUES (49, 5, 'Rules belong beside the data', 'An app that checks a limit is polite; a server that checks it is right.
Keep the polite check if you like, and test the other one.');
INSERT INTO example.post VALUES (50, 5, 'Old apps never leave', 'There is a telephone in cabin two that was last updated three years ago.
It still works, because what we send it has only ever gained things it can ignore.');
INSERT INTO example.post VALUES (51, 6, 'Cooling grain with night air', 'A ventilator that runs from two to six in the morning brings a bin down by a degree a night.
By October it is at twelve degrees, and the insects have given up.');
INSERT INTO example.post VALUES (52, 6, 'The smell at the hatch', 'Before any probe, open the hatch and breathe in: sound grain smells of almost nothing.
Sweet is early trouble, and sour means it is time to move the bin.');
INSERT INTO example.post VALUES (53, 6, 'Probes at three depths', 'The top warms in the sun and the bottom lies on cold concrete; the middle tells the truth.
We read all three, and act on the middle.');
INSERT INTO example.post VALUES (54, 6, 'Keeping varieties apart', 'Malting barley is worth more than feed barley until somebody mixes the two.
Every bin has one name on its door, and the name goes out with the last kilogram.');
INSERT INTO example.post VALUES (55, 6, 'An auger that ground the grain', 'Running half empty, it broke four kernels in a hundred.
Fill it or slow it down; it is the space between that does the harm.');
INSERT INTO example.post VALUES (56, 6, 'What fits into bin seven', 'The plate says five hundred tonnes, which is true of wheat and far from true of oats.
We wrote the four figures that matter beside the plate.');
INSERT INTO example.post VALUES (57, 6, 'Mice, cats and seals', 'A cat is good company and no plan.
Rubber seals on nine doors did in a week what the cat had not done in years.');
INSERT INTO example.post VALUES (58, 6, 'Emptying the last tonne', 'The cone holds a tonne that does not flow by itself, and it is always the oldest.
Nobody goes in alone, nobody goes in without a rope, and nobody goes in while it turns.');
INSERT INTO example.post VALUES (59, 6, 'Drying costs more than waiting', 'From eighteen per cent to fourteen takes as much gas as the margin of the load.
Two dry days in the forecast are worth leaving it on the stalk.');
INSERT INTO example.post VALUES (60, 6, 'The inventory that matched', 'For the first time the bins, the tickets and the ledger agreed to within a tonne.
We checked it twice, because none of us believed it.');
INSERT INTO example.post VALUES (61, 7, 'Reading a contract from the bottom', 'The price is on the first page and the reasons for lowering it are on the last.
We start with the last one, and ask our questions before we sign.');
INSERT INTO example.post VALUES (62, 7, 'Price now or price later', 'Selling a third at sowing, a third at harvest and a third in winter has no cleverness in it.
It has let us sleep through four very different years.');
INSERT INTO example.post VALUES (63, 7, 'What discounted means', 'The grain was delivered and accepted, and something in the sample was below the agreement.
The price is lowered by a table that both sides knew beforehand.');
INSERT INTO example.post VALUES (64, 7, 'A contract number is not a name', 'On the telephone everybody says Planet or Rubisko, and there were three of each.
The list shows the name large and the number small, and both can be searched.');
INSERT INTO example.post VALUES (65, 7, 'Half a lorry too much', 'The contract was full and fourteen tonnes stood in the yard with the engine running.
An afternoon of calls made it a new contract; a look at the total would have been quicker.');
INSERT INTO example.post VALUES (66, 7, 'Delivery windows, seen from the mill', 'A mill wants the same quantity every week, and farms want to deliver everything in July.
The window is where the two meet, and a premium for September moves it along.');
INSERT INTO example.post VALUES (67, 7, 'When both sides keep a list', 'Ours said twenty-six tonnes and theirs said twenty-five nine hundred and eighty.
They were both right: theirs was weighed and ours was planned.');
INSERT INTO example.post VALUES (68, 7, 'Signing on a telephone', 'The buyer signed in a train and the seller in a stable, within the same quarter of an hour.
The paper copy followed a week later and is in a drawer that no one opens.');
INSERT INTO example.post VALUES (69, 7, 'Cancelling early is a courtesy', 'A slot that is freed the evening before finds someone else; one freed at the gate does not.
We thank people for early cancellations, and there are more of them now.');
INSERT INTO example.post VALUES (70, 7, 'The small contracts matter', 'Ten tonnes of peas take as much paper as a thousand tonnes of wheat.
But the farm with the peas is the one that told two neighbours about us.');
INSERT INTO example.post VALUES (71, 8, 'Three forecasts and a window', 'Each of the three services is right about a third of the time, and rarely on the same day.
When all of them agree, we plan; otherwise we look out of the window.');
INSERT INTO example.post VALUES (72, 8, 'Dew until eleven', 'There was no rain this week, and still no combine moved before noon.
The valley keeps its dew two hours longer than the hill, so the hill goes first.');
INSERT INTO example.post VALUES (73, 8, 'Hail has an edge', 'On one side of the lane every ear was down, and on the other not a leaf was torn.
The adjuster walked the line with us and drew it on the map.');
INSERT INTO example.post VALUES (74, 8, 'A dry May', 'Eleven millimetres in thirty-one days; the barley hurried and the wheat waited.
It was the wheat that was right.');
INSERT INTO example.post VALUES (75, 8, 'Measuring rain in five places', 'Our gauges stand four kilometres apart and disagree by half.
The shower that saved the rape never reached the beans.');
INSERT INTO example.post VALUES (76, 8, 'Wind and spraying', 'Above nineteen kilometres an hour the work stops, whatever the calendar wanted.
Most of the good hours are before breakfast anyway.');
INSERT INTO example.post VALUES (77, 8, 'Frost in the low corner', 'Cold air flows like water and collects behind the hedge.
A gap of three metres in that hedge let it drain, and the corner flowered with the rest.');
INSERT INTO example.post VALUES (78, 8, 'The warmest February', 'Aphids that should have died flew in March.
We looked at the yellow traps twice a week, and treated one field out of six.');
INSERT INTO example.post VALUES (79, 8, 'Fog on the road to the port', 'Six lorries left at five and arrived at nine, instead of seven.
The port had kept their slots, because somebody had moved them in the plan by half past five.');
INSERT INTO example.post VALUES (80, 8, 'What the old diary says', 'My grandfather wrote the weather down every evening for forty-one years.
He complains about the same week in August that we complain about.');
INSERT INTO example.post VALUES (81, 9, 'A test that waits is a test that fails on Fridays', 'Half a second was always enough, until the machine was busy.
Wait for the event that you mean, and the clock is no longer part of the test.');
INSERT INTO example.post VALUES (82, 9, 'Break it once on purpose', 'A test that has never been red has not been tested.
Change one sign in the code, watch which tests notice, and change it back.');
INSERT INTO example.post VALUES (83, 9, 'Random input with a name', 'Two thousand random lists found a fault that we would not have thought of.
The seed was in the report, so it took a minute to see it again.');
INSERT INTO example.post VALUES (84, 9, 'Counting instead of timing', 'A stopwatch in a test measures the neighbour''s build.
Count comparisons, rows or bytes, and the number is the same on every machine.');
INSERT INTO example.post VALUES (85, 9, 'The fixture that everybody edited', 'It had grown to nine hundred lines, and each test needed four of them.
Now each test says its four lines itself, and the file is gone.');
INSERT INTO example.post VALUES (86, 9, 'Names of tests are sentences', 'When one fails at night, its name is all that the person on duty sees.
A moved row keeps its text: that can be understood at three in the morning.');
INSERT INTO example.post VALUES (87, 9, 'The fault was in the test data', 'Our sample contract ended on the thirty-first of June.
The code was right to refuse it, and we had spent a day making it accept.');
INSERT INTO example.post VALUES (88, 9, 'Testing the way back', 'Apply the change to the old list, and compare with the new one: that is the whole test.
It knows nothing about how the change was found, and so it survived two rewrites.');
INSERT INTO example.post VALUES (89, 9, 'Cutting the power', 'We stopped the process two hundred times in the middle of a write.
Each time the file opened again with all that had been promised, and nothing by halves.');
INSERT INTO example.post VALUES (90, 9, 'A bug report with a picture', 'The picture showed the clock, the battery and the row that appeared twice.
From the clock we found the request, and from the request the two deliveries with one number.');
INSERT INTO example.post VALUES (91, 10, 'Protein, and where it goes', 'The early nitrogen makes straw and the late one makes protein.
A baker wants twelve per cent, and a maltster is happy below eleven.');
INSERT INTO example.post VALUES (92, 10, 'Sampling is most of the result', 'The laboratory is precise to a tenth, and the handful from the top of the trailer is not.
Eight probes across the load, mixed and divided, and the arguments have ended.');
INSERT INTO example.post VALUES (93, 10, 'Germination in three days', 'Malting barley has to be alive: ninety-five grains in a hundred must sprout.
We keep a dish of each bin on the office windowsill, with the date on its lid.');
INSERT INTO example.post VALUES (94, 10, 'The falling number', 'A rod sinks through warm paste, and the seconds that it takes say whether wheat will bake.
After a wet harvest it sinks like a stone, and so does the price.');
INSERT INTO example.post VALUES (95, 10, 'Specific weight', 'A litre of good wheat weighs seven hundred and eighty grams.
It is the oldest test that we have, and still the first that a buyer asks for.');
INSERT INTO example.post VALUES (96, 10, 'Broken kernels', 'They count as impurities from three per cent on.
Slowing the drum by fifty turns a minute made the difference for a whole harvest.');
INSERT INTO example.post VALUES (97, 10, 'Calibrating the moisture meter', 'Ours read four tenths too dry, which sounds like little and was eleven lorries'' worth of water.
It now goes to the laboratory each June with three samples.');
INSERT INTO example.post VALUES (98, 10, 'Colour is not quality, but', 'Rain before harvest bleaches barley, and nothing else about it changes.
The buyer still looks at it twice, and we send the analysis before the sample.');
INSERT INTO example.post VALUES (99, 10, 'What a mycotoxin limit looks like', 'It is a number in millionths, and it decides over a hundred tonnes.
Rotation and ploughing do more for it than anything that comes in a can.');
INSERT INTO example.post VALUES (100, 10, 'Keeping a sample for a year', 'A kilogram of each load stands sealed in a cellar at twelve degrees.
It has been needed twice in ten years, and both times it was worth the cellar.');
INSERT INTO example.post VALUES (101, 11, 'The gate at seven in the morning', 'Marta knows every driver by the sound of the engine.
A system that replaces her list has to be at least as quick as her pencil.');
INSERT INTO example.post VALUES (102, 11, 'Learning the app in the shed', 'Nobody reads instructions with gloves on.
We watched for an hour, made two buttons larger and removed a question.');
INSERT INTO example.post VALUES (103, 11, 'A meeting without slides', 'Four growers, two drivers and the mill sat around the printed list of last week.
The three changes that came out of it cost a day, and are used every hour.');
INSERT INTO example.post VALUES (104, 11, 'Whose password is it', 'Six people shared one account, and the name on every change was the same.
Each has an own account now, and it took one morning and a box of pastries.');
INSERT INTO example.post VALUES (105, 11, 'The apprentice asks why', 'Why is the tare entered by hand if the bridge measured it an hour ago?
None of us had a good answer, so the field is gone.');
INSERT INTO example.post VALUES (106, 11, 'Two languages in one yard', 'Half of the drivers read French and the others English, and all of them read numbers.
Dates were the real trouble: the seventh of December arrived in July.');
INSERT INTO example.post VALUES (107, 11, 'Handing over on Friday', 'Whoever leaves writes three lines: what is open, what is late, who was promised what.
Monday begins at seven now, and not at ten.');
INSERT INTO example.post VALUES (108, 11, 'A complaint is a measurement', 'He said that the list was slow, and it was quick on every device we owned.
On his it was not: four years old, and two bars of signal behind the hill.');
INSERT INTO example.post VALUES (109, 11, 'Retirement of a notebook', 'For twenty years the deliveries stood in a green notebook with a string.
We keep it beside the screen, and now and then somebody still checks.');
INSERT INTO example.post VALUES (110, 11, 'Thanking the night shift', 'Forty-three lorries were unloaded between midnight and six.
The list showed it in the morning, and it deserved more than a list.');
INSERT INTO example.post VALUES (111, 12, 'A tonne has a thousand kilograms', 'Store the kilograms as whole numbers, and every sum comes out exact.
Tonnes with a point or a comma are for people, and are made at the last moment.');
INSERT INTO example.post VALUES (112, 12, 'The date without a time', 'A delivery on the twelfth of July is on the twelfth everywhere.
Give it an hour and a zone, and in some country it moves to the eleventh.');
INSERT INTO example.post VALUES (113, 12, 'Sorting names with accents', 'To most machines Épeautre comes after Seigle, and to all readers before Fève.
Sort for the reader''s language, and search without the accents.');
INSERT INTO example.post VALUES (114, 12, 'Plural is harder than it looks', 'One delivery, two deliveries; in French, zero delivery as well.
Let the language decide, and never glue an s to a word.');
INSERT INTO example.post VALUES (115, 12, 'Rounding in public', 'Three loads of 10.3 tonnes were shown as 10, and their total as 31.
Round what is shown and never what is added, and show one digit more than you like.');
INSERT INTO example.post VALUES (116, 12, 'Identifiers are for keeping', 'A number that was given to a cancelled delivery is not given to another one.
Sooner or later somebody looks for the first, and finds the second.');
INSERT INTO example.post VALUES (117, 12, 'The empty string and the missing one', 'No name yet and a name of no letters look the same on paper.
Decide which of them you mean, once, and write it down beside the field.');
INSERT INTO example.post VALUES (118, 12, 'Units in the heading', 'Putting t after every weight filled a narrow column with the letter t.
It now stands once, at the top, and the digits line up.');
INSERT INTO example.post VALUES (119, 12, 'Percent of what', 'Five per cent above the contract is not five per cent above what was delivered.
The sentence got longer, and the telephone calls got shorter.');
INSERT INTO example.post VALUES (120, 12, 'How long is a long list', 'Two thousand deliveries look like a lot until someone looks for theirs by its date.
A day as a heading, a number in bold, and it takes four seconds.');
INSERT INTO example.profile VALUES ('demo', 'Wylla', '', 'hodor@hodor.hodor', true, false);
INSERT INTO example.track VALUES ('high-water', 1, 'First Lock', 222, 1204310);
INSERT INTO example.track VALUES ('high-water', 2, 'The Keeper''s Daughter', 245, 310822);
INSERT INTO example.track VALUES ('high-water', 3, 'Slow Barge', 178, 287410);
INSERT INTO example.track VALUES ('high-water', 4, 'High Water', 311, 198334);
INSERT INTO example.track VALUES ('high-water', 5, 'Rope and Bollard', 200, 154209);
INSERT INTO example.track VALUES ('every-second-thursday', 1, 'Platform Two', 183, 842117);
INSERT INTO example.track VALUES ('every-second-thursday', 2, 'The Viola Teacher', 267, 290553);
INSERT INTO example.track VALUES ('every-second-thursday', 3, 'Every Second Thursday', 216, 912740);
INSERT INTO example.track VALUES ('every-second-thursday', 4, 'Rosin', 161, 133870);
INSERT INTO example.track VALUES ('every-second-thursday', 5, 'The Return Ticket', 362, 120466);
INSERT INTO example.track VALUES ('every-second-thursday', 6, 'Late, but Not Cancelled', 195, 118902);
INSERT INTO example.track VALUES ('la-maison-eclusiere', 1, 'La Maison éclusière', 230, 674001);
INSERT INTO example.track VALUES ('la-maison-eclusiere', 2, 'Le Marinier', 252, 208455);
INSERT INTO example.track VALUES ('la-maison-eclusiere', 3, 'Un accordéon sous la pluie', 188, 571298);
INSERT INTO example.track VALUES ('la-maison-eclusiere', 4, 'Vannes ouvertes', 175, 99310);
INSERT INTO example.track VALUES ('salt-and-brackish', 1, 'Where the River Stops', 213, 455120);
INSERT INTO example.track VALUES ('salt-and-brackish', 2, 'Damn This Tide', 284, 189027);
INSERT INTO example.track VALUES ('salt-and-brackish', 3, 'Estuary Blues', 181, 143365);
INSERT INTO example.track VALUES ('salt-and-brackish', 4, 'Brackish', 329, 90718);
INSERT INTO example.track VALUES ('salt-and-brackish', 5, 'A Mouthful of Salt', 157, 88241);
INSERT INTO relist.migration VALUES ('relist 1: secret, versions, receipts');
INSERT INTO relist.migration VALUES ('relist 2: positions, announcements');
INSERT INTO relist.migration VALUES ('relist 3: sizes of versions by use');
INSERT INTO relist.migration VALUES ('examples');
INSERT INTO relist.migration VALUES ('settings');
INSERT INTO relist.migration VALUES ('deliveries');
INSERT INTO relist.migration VALUES ('posts');
INSERT INTO relist.migration VALUES ('mountains');
INSERT INTO relist.migration VALUES ('artist');
INSERT INTO relist.migration VALUES ('wifi');
INSERT INTO relist.migration VALUES ('posts feed');
INSERT INTO relist.receipt VALUES ('\x3dc896e2c35fc180c38453baa7c68c0e27217bbbd8d225b132a3f17d4fbb569c', '\xa20b53a793fdaf1f4a86108eda2c5897', 1795562889);
INSERT INTO relist.receipt VALUES ('\x9fcbd9dc107b6d7ff7b333de2e74618b4b8dffaf194a7329dacccbdc7d64e0d4', '\x15976f721fae0129c1d71bae3fe5049a', 1795562889);
INSERT INTO relist.secret VALUES (192, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf');
INSERT INTO relist.secret VALUES (32, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (1, '\x20ef9b6fe4a50d116050ca5eecfc918603f80119dc230b2f4dd8786b31704d9e', '\x757365723a64656d6f', 5021010098961804855, '\x02abe0dd13b49573d302000000ce60acb8474c3419c99971fdc51ab056020000004a157e2b8a6981dceae9aa470f7614c203000000d451d0fc69276d855d362e65c938ff57aa4e4008453a5e9c1f1de969bf3141a8c7074a16da7f59aa73cbfa73b809efb701bb74bb8d24e070eafc6674a0a064a83ce95020f8e284bcc45fe44f80da0b1a7034b19e99ccdb71b8ca305daee2ca95', 277, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (2, '\x284ef9ea15c27da680b8c0b9d1f202b6cfcd8bd8cd5a3f12f12ddc76ff6bb1d6', '\x757365723a64656d6f', -1994088023897628837, '\x0279c357a34266fe6801000000373111379146f196c2f34740705a3e9807000000b2c906d76d10a5d4fee2286cb8d2b2b75b85f5bfe8cf4e982627437caae68fd5175449af683919cdebe4edc229beb83570ca48a67734d078c29efecad40bdec9728c188e9314332b2303437c57739e0f2d05f98ccdc7cfcb71ca4a818f78774ddeac866cba540bd29b6facc8dd1bf4f35d7cea7feaa100271b3bfa43cbe68a2c', 289, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (3, '\x36c17254b641281a078bbdb8c3ff6f9efbeb13936c2713c831135b5bec7bc8e3', '\x757365723a64656d6f', 5021010098961804855, '\x02abe0dd13b49573d302000000ce60acb8474c3419c99971fdc51ab056020000004a157e2b8a6981dceae9aa470f7614c203000000d451d0fc69276d851edd9a51f0ffb493aa4e4008453a5e9c1f1de969bf3141a8c7074a16da7f59aa73cbfa73b809efb701bb74bb8d24e070eafc6674a0a064a83ce95020f8e284bcc45fe44f80da0b1af89ae7a892fdbf54db5da48499f47569', 277, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (4, '\x76d40d0e9dafd1f39d955bd538dd9d7837e2badbb5713dd2e28e32f6bc2ca846', '\x757365723a64656d6f', -1994088023897628837, '\x0279c357a34266fe6802000000373111379146f196c2f34740705a3e980700000086bfd417812bd9a2254fdc27ddf75ec601000000b2c906d76d10a5d4fee2286cb8d2b2b75b85f5bfe8cf4e982627437caae68fd5175449af683919cdebe4edc229beb83570ca48a67734d078c29efecad40bdec9728c188e9314332b2303437c57739e0f2d05f98ccdc7cfcb71ca4a818f78774ddeac866cba540bd29b6facc8dd1bf4f3e9dea86ee1e4f61cbaf0fbe2df23a106370544254da9feb91de48e3e10f8376b', 325, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (5, '\x0e206878ebd22990f1dd465fa3a80085aca734fb8afb85ed026bfc93985f3c7d', '\x65766572796f6e65', 5604205687230116992, '\x02e2a1d5d901206fae010000009322970aa393b58ed76a7b016b0fcd8cf3000000a5924f737336b2ea059979bbed81b3833a269ef4849ef4d029014c067471554ebcaa3fb954544beef57dc9255f5c12b482723e64a0ffbf10a1c30c6ad57403dba4e054fa9908f1d368dd3f45d7ff133269b0912c867430f688d4bc8fbc172895ff2648d9634dc727bb52781715390c7a92b1f4174eb0b58f27f9b48dddf86bd0f451ada8b0da2b6c4532f5b7dc10b890a7cb69dfc5ed33f20a3cc988733a550cd33e0a96462ea20521afc5e63d7853299d353f49003051369f2d81269f380a216e71ed4f5926097826d7206e621826418d012281ea6be5cb40e31e479628702514191b909f4f7c63cb02d9892e5c06d01d8c3502869241a1b8918618359ba8952d3724886e026c4782ea4e2365c97fa64464b37b4362bdbdd02067582c39e78ef7554dc6732689cbffdb87ffffee642f26b5e58be100d5fa0bdaf21be5149e7666fdb7307267ee0cf3ce9ac84ccdc03d00381b8d6661bc8e4a9a329373738d30f7e55cf8aa9a07e40a50d7f3ab1501021970e3c7b4d0e32fd2d03c141356f5266b774059098151b37df2315e0a830e93677fcf8d76393de35af7f247fbf842b158c86f84c8b68db4a64d71d408fab7eebf307f9f3b4ea52bd1742ff4977cb84e73444077d6abf91dc7b1c210651941380e63921912c8e4b31ed70c90490e2945a68fb3068533ffa9d2e61a8090449d51e43a8412d87626b7a935cd73a0b7936cf99288b5f664f0c1372b979935f37a2bdf18d8dd3f9baa5edbbd033fc8dbfecff1832c465ad66df67ed70aa237bdceba6b4adefe23a7432bd645210ffa56165b2cdc0f769b7c6837ff54226ba6d8d72e812618f3684e1e43571c3ac798f6eb04ca8b4cb3a39f0e870cea9b086bc1b674ebbca3cac0dbb46665bf2c5a2afa86b39e717fa2ffda24440a5a73ddfa8923c7279280cd3da86893ecaed48460a94eb5ea53e1ca1174a40cfec351241ba4c8d6c5b28b5338884b7c2e3d2acd2a6236dc973ede92aa3d2997292ea2027d21b88bf27c7f245ae76e80175850721320a3c69f1ff20cb29c3cb0f33feb573b654d6acc5f6a474e0be84bfa6fe01dbc5a31bf6fe76ba1b9e1ce3252be79bdaebba80dd7de43b1b3cfb43421b058e54a00881ad7d9c7c404206734b7d205accab3f95e8c173f23aad3517a9c36b900123b76a262c36528c4c8637430ef2d4390be2b3426035689a276204407ee80588be29233e77d92e3e60351af1b5c756d68a91745a3c2583011e0ead1dfda210db482d83f6e7294cdb20647209f095cc8005afca9e03a81dea2b8564375afdffe4da99ae5d9f8f94643f63c82f8e6c21a8683333368c09bf095398c6c4fd8bda2d4162687c58be983bfb642b0caeee4bac353c4597fa84e303cca906004d65c7a2b83174d7be664dc99dc83a068caa39bd746a2cbd9fb620dad321ca724d1bc51c4c84bd40a618263e95a1101d7e4c68924e2bbd4dcd9505a43ddc31b4895585431d7501e5dd801853aa357234dfdc1b7c401c0358fb42e788f34017f19e24675887f39981093c2cad92dbe59b75a4c829a5b2e8ab25515d91de6744af22831cd872219069779a571ab1feabb9441a7a95d936bab6522dd2f879de5fb5bf5a97285b07b55bac50f74110e368e1f5a0620db963fb651fe2898239226f5f39515c18c8522c79783cee53cfdbcc05a5070cb5a3ea91da8cb8a5381217847afdd9063c18beb8d28d870592370ebfba1eab85062a63d34a84db6e8165caf66b395767fd08aa63abfe281cfad4bfd0ac146a77eba66765785a4fe93b7d995c781322c2d9c30401d8849c871bdba5cd1ac856d01ce155f7d7f41cb377395cc8ba5b1b337797028ec22bca4074c56021e2b6f4027deb663dadfeb7f36e6fab5ed31a5f424205026116f0890d46d0263c05958a0dbc6f733b79f7badc9fe51d6fa3ac4125eab9bf34013bfec01efb252a4e1419462d046804ea5f28bc5752f3895f94e289bacd284073a48f4e459c5eb30240f85e19f12f1cdc0da300c97ca0b476f06feb872a59ea863dbe8ff31435f24b0f25ac67705b2d7197dc1c2d0ce749ce08235a7ea2cb0324a9716d0c3611667b50b7a7fecb1ed64b647c3966b6ad38fc0a649bdf1e998f3334a44037e72924c243866306ef71bbcb1f013f18db1af356451aa15bae18f3a5e9d7c77e571e05b0ef7e346800a0959fa7970f3fcb9db69ad8ae0d47b2a5cb2e529988b01505629930d2de21a922b81600ca2f0cf4581ceb79484081158311514b621a1131c7c306c14f5df646dfc76b1abcba4077df08c18d73915d1fca65628a5c21608512dc1cd2c22d1cee676a10ea8684aad5fb2b9cb7cc2381c6d40d5dcc349897d62787a614c9a18abfdf91cd6ab062a274398b82947029ff898a65083f9d07402d07a390200e4977b04ec75636fbebe3a923bb12062d60e02d119aed4979b6ed9ba63cc0dadc7a9b5f42284fbb4e9820185e8e6d2bbe571a18139cbdc9cb08786d45a9c2876223f3ef2d5316d17c1de653e69773f073c902e008d26dda41e7da2fe4301f5f474bebc57bb3184c1315ffa800a81f69f38dcc2d6e76fad37db79eed092ecdbb1f7d23a9cc38daa863aa78635cd85284223392702c82cdde8ffdd94383462ec09a79e4493eab5d68be43aad65e7122809b511d29f04bdddb222fbca3227cde6cbd764223f41b5eb4c7171113d1fc0e224f2a78d1eb8e3e05e480e22c08d4d75b4c5c30b0c342d3b68a8b35768cf60929b7db569305310ad4a878a4d8857143e120bf02d330f2d2ed506c94c8df07a9c5a668fb46947bf01f6ab6da3edc7e4785941c9bc6542c2b5f1bbb6e534825ec232bb5dd805442464b67a08396c2ab11a2a7532d666154f8ebbb8c3c7f6e067d8573140120f94d1185771b3f22a29d20852d184f99b67b3dc50bfb6b84b588178b923a6ab1b31ecb3f405d2f086bc75170ea5465513eadc8ec1728a6f37e1ffcb4e43f9554dcf910030b82a01d9fabbba0cc06f6cd6a102faa25793731dd905e6e93553082a7c991ec5f9f571af2a050e61e6d7388a6c216566aafd87e3ea324611fe5e8471f1a8296b83c6440d7fe8b7fcdcfad5525f35ec02613e68235fed34e61507ae3fb99afa4349a163319c8c6d48aa6bc58dd4c393bfb3ef2837aeecb06367fb87fe119a058066f6504b6a906f4c8071e17dec07c698e113699f61bde65a66a519ec3e5f47758232c0251df477878b8e7a2ef5b8b7598b569c63817d2bd28b249d5c57fdbb16448452cd6bcf656af5c2c7044ddaf1ce94db351a046935d0e95a5808b7cd9ad2030880b49b612a7353838daee4a1391ceba8246483e958329acb0cf30496cce56dca0a2c59d6b1fd5716f6dba5552bb523f256cf97f1701dea0af2d695ed35b226ccc6746fbdc1aba8b7a83143e407d29b377a366d9ec41eb0ac7043dcde381771038adc54709cc816ab5d3798412166855b22f6d622e0bbe949ca94c39b1c094f8043b06cd70266a2f9f041a9ee2ed1cd4370173c7f8726ee5d83dd89d51d366969ceca0e8ef1c928697569b2538959d60a52e33e4ff41b1c1cef9deaab86844bf5aac16209211369c57c277879951ccd71f93d1f640246e083eefda48229c69a5e75ff3ea207764217e4eca2f0cd16d48350fe9681b9a9b3fd435442c2ebf045496fb46fec5eefff9b2c9d5d23302b8eb15ef8edfc1f7cc8c788a7e02ec7460a1387e15b7b21fa4de661b045de9a7127b4f5fb2c37e68ca45d2db3be74b567083a24e77d41f15ac889123422a24203f60c0d6e6aa71648fabd3438052a824983eea0e51e841a0513bd20fad3ac4ff945e13ce25d8b3e0f49dd99e8218a0bddc6a5ff03f2d1135035977c52edc4d70de536ef9cc9f4287aabe1916b9996f8e8fe1cf03a04fb1e8c11dc6ab3c6100cef553b08459ba0db6d810f5731b9b9ea33f0ede40cdc11c99610ce4cd7044084cdbf68e7d2896ff8302ccac02d055721b372c310bcc2278838c359b2a59d4a80655811c3ce359a706dfa09dd95edd75ee2b982e4431f20c2e114802d7bf1cb848f8ade61dea8a5872614f8c89bec6fb1c4c2024eb4cff417f4208076be2c05d9ff07f3e8234213573acbe22489fb061fa080ae287ada9db017ed621b814980f22ffac1d07dc6ef34b36adfc9c8c5802c37a1450800ed80436de2d44f087b0943622688f44cb13a31eedd944c54e4f4218dcb4fb6046f64863ff79ff0e9e8288dee54ea2a5b57d0dbd9e57b96a986697c5b71007796d06fd4116c012df343e78c2a5f27e5b68fd61d0b1bc73765982d2d6acc4d298dfaa20be1c1ef27937c5f16dc84785a865c4bb6386826cb0530bde11d14d9cce9c8d1bb87410f8d0d7eb36ea7afdf835c58502a671b87ef55d6e5194c18e63a76827b56329ad220ed20e4455ab52c48775fc7ea49932b1506fd8a594167ca102b38a14b987adb4794c2cf8155a266070b0667e3fc85e0b8285af6dc91d055393221deffea8ebfff0bd1f6719b196a8103f862ca4be0f1d709478e3ab16ad6d84e34b0fb63add0e141b6b7c175c30cd22fe1deec28260e3f9f3a13eb72e32298f216034253e2baf8ba77dec1af0c71ef5fe71e4960783553681fa936cfd41662dda62ba1bb6defa52c1f8e1aeca46c91e0247ec9a7404c45eac18d14bcb5173d88c91ca8eed965418e56dda76314ca14fa94963c2784ab59328484a3617012aab67041d4756f69468577c9d9ca242b25078bdf17886f0eea372ae22967cbb1d8cfd0c20a796a37fe588d57375b9e1b8c14adfcabfd296e9264890f009720d0a9bed58351d9d941cb710a03e1c2fefd90796b9aeadef2ab624c6efd470f55fcc3fa847ebd6882d5e5f6a4c02c9b86aabbda99479989dafad4d4d26d5c1c0463e31bd415cf13d728b552fd6420ff77102869cb2982a5bada611347cde0b1363b91c44c31e36c851857f8c8e83687c2ac148124038fcf4351123fbca506e9edb0fb5aa6d08fa3b3352a5ed6590646bbcb026e9f73c612b148a17ff4d28ea8dd0336c7683a801ce35249019ed1eafff38d4aeb61102fec2a7d2f5a2ba07c375e4146b44a529e7843b8c2a258e037034e927e9ecdda7dbb3df7a9ea3f0ad13d96c4a1578fc6d8f5f8009dcab2de65726409ca0be5318f19afa02703bd04605755f07ee8299ecb036558f93b27601baad0d3c73043aeb7174adb7125f4303114e08e5447c591fdc1a2b9c58e911f09391db8a3e1876f88cf95ed5e3e9d96352d289a435f9c2780b3bfa20d6f9359217ede37bc8e4b0b7ba1a884f8552a8c70c6bff8481edcd29bb9b586cc500dae713fda57db86f4cdafcaad366bad4738c557cbbb3d1f40bf2bc08275994210a46ab94b9592fab230ef523508ec67c84681c18113e4700622c00602a9a09a76c3696f5f5069028144d0e6fb99a2503e01788c113d817899097639a9b70789e6d6c69496c40371cd9786b7c09c279ba361feda8e84b8ab1338f23f06e5b356b0f24563bb67033f96e99cb1e65c2e94e5a6', 4065, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (6, '\xbd8da629fdfeec6c3dd85547121c907e23f893fb15ab087a6d83ef2ad041a915', '\x65766572796f6e65', 5223656438694262449, '\x025d7d2c720430d9710300000020e28b7316880695c2f34740705a3e9802000000746b9ee9420735720d05b8620d670d680a0000001063a2ec19907538cd9a5eda3cbc37250500000020e28b73168806958e0f04eeeb044a7ed67f1e404d267de35fb6e31d82f17b20d073b3aeef94a8b564c376aabeba84d3b22caa5849d7ee47bff640b98064e56e7ff8b75ddee1028bf8927edfc84416e1a125ddbf9313eb9f3d99d5fb4cf4e94e26a72fa3790c17aadaf9e71002973ff8d5199c12362cf5f79611d2414cce83a7051816fd93ad59d4fdfc93ff628c6c8eb7bd9ab3b7bb636bc8a91b08106173451b2f440c658016296a6bc39b338413676b0961a32de881f492c8272063f499f60978008b880a3fe529966cd790e7fa165464c26c3addd09cc32d0dd12a6fb404815b7b7bd3b86f18a0c777a0446cd2ff3f811a39f664a440d67ca9b96f201f36cf2e336dddd119c0b3bb401c741043ce13cb4e6f40b83e487d9086faa43685f7', 489, 1795562889);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (7, '\xc641d691b74985f9be5d5989516d6c1e90c38dcde9ecf49d54d1060803c1cf99', '\x757365723a64656d6f', 3244766203725852679, '\x02fdfc25c3c578e16a02000000554957953557e01dc2f34740705a3e9801000000f1090fdd326d365fdfd5dfcf17a00f170b000000554957953557e01dee9841e29bdac842c679911c93a2c1a14512aba0087aa415844103f182445949b2d0829160d6c6343758fa076a1845f09c546d1f81da4d9046e955528de262f88d73c9a36915327f0ec9f065a3ed6c377357b5703c9637df8651fd93ed72476f1ea621f4db236784d25cebef174250b294e10d4ff3134473598be01f7fdc5a7b1543c54231084bc589f7b8f9fb4ec6abcde2c066fcfb84a096b5230a691f77917236cca499f2d0898b25ba701603248a5486103109ede10cf2ce55119d01cd266cd60e1888d07cce', 389, 1795562890);
INSERT INTO relist.version OVERRIDING SYSTEM VALUE VALUES (8, '\x4fb7a28ca3354a373338074aceb293b54da2a5123bd08af0e9f1059842a68b7b', '\x65766572796f6e65', -1070477664870102585, '\x02d12ebc7965a97ddc01000000887553cc8389f2b5a6fd37fa3a1f5f501400000009242483934625e87e1a6559dfd276acce9d625c523b67d64c22f0153dd377ad544488e1a8264c98d87432820554b1dbfaa06c2fe11b585e72e09440d737de7f57d1a36666d55deb06c1bd4560f1b5a0400875cf62fe581f7900989d40e3c8b54575d954e0bf4cd7b867b14bac296cc79d927f0f87f304d9dc632d33648ac550c448b00931e95969e71ed6b31d7f46ec75654a75da66fc17867e6075d107d3f7f37e671813e0530e132aa1ce5012c5337e3bfa7a8b791461785eebd9a1296a2863f861d277f18aaa299778448ac0be378ba96d0693a6d568b06441c2d8f159ed2b3d1418cb7f9410fab573f492245a55edfe44fc08496054e1b996d246d33260058377f5d5be5c48cc97cfff249d3ce35df7d27dd5691be5c15c3f9c0a32abdebdc2015c59cc91b357eb5e20d91c12f4d6728abab5584c295f9b1687f02b985c372488315b3cf4e4ca66d0255c7cff5c', 497, 1795562890);
SELECT pg_catalog.setval('example.delivery_number', 7562, true);
SELECT pg_catalog.setval('relist."position"', 3, true);
SELECT pg_catalog.setval('relist.version_id_seq', 8, true);
ALTER TABLE ONLY example.album
    ADD CONSTRAINT album_pkey PRIMARY KEY (id);
ALTER TABLE ONLY example.artist
    ADD CONSTRAINT artist_pkey PRIMARY KEY (id);
ALTER TABLE ONLY example.contract
    ADD CONSTRAINT contract_pkey PRIMARY KEY (number);
ALTER TABLE ONLY example.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY example.inserted
    ADD CONSTRAINT inserted_pkey PRIMARY KEY (part);
ALTER TABLE ONLY example.mountain
    ADD CONSTRAINT mountain_pkey PRIMARY KEY (id);
ALTER TABLE ONLY example.post
    ADD CONSTRAINT post_pkey PRIMARY KEY (id);
ALTER TABLE ONLY example.posts_feed
    ADD CONSTRAINT posts_feed_pkey PRIMARY KEY (upstream);
ALTER TABLE ONLY example.profile
    ADD CONSTRAINT profile_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY example.track
    ADD CONSTRAINT track_pkey PRIMARY KEY (album, number);
ALTER TABLE ONLY example.wifi
    ADD CONSTRAINT wifi_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY relist.announcement
    ADD CONSTRAINT announcement_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY relist.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY relist.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (key);
ALTER TABLE ONLY relist.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (byte_count);
ALTER TABLE ONLY relist.version
    ADD CONSTRAINT version_id_key UNIQUE (id);
ALTER TABLE ONLY relist.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (key);
CREATE INDEX album_by_year ON example.album USING btree (artist, year, id);
CREATE INDEX delivery_by_day ON example.delivery USING btree (contract, day, id);
CREATE INDEX receipt_by_age ON relist.receipt USING btree (performed_at);
CREATE INDEX version_by_use ON relist.version USING btree (used_at);
CREATE INDEX version_by_use_and_size ON relist.version USING btree (used_at) INCLUDE (id, byte_count);
ALTER TABLE ONLY example.album
    ADD CONSTRAINT album_artist_fkey FOREIGN KEY (artist) REFERENCES example.artist(id);
ALTER TABLE ONLY example.delivery
    ADD CONSTRAINT delivery_contract_fkey FOREIGN KEY (contract) REFERENCES example.contract(number);
ALTER TABLE ONLY example.track
    ADD CONSTRAINT track_album_fkey FOREIGN KEY (album) REFERENCES example.album(id) ON DELETE CASCADE;
