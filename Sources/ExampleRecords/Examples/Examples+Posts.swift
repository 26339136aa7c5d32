extension Examples {
    /// 120 posts of twelve authors, numbered from 1.
    public static let posts: [Post] = {
        // A post is its title's line and the lines of its body; an empty line parts it from the next.
        var posts: [Post] = []
        for lines in (firstPosts + "\n\n" + lastPosts).split(separator: "\n", omittingEmptySubsequences: false)
            .split(separator: "")
        {
            let id = posts.count + 1
            posts.append(
                Post(
                    id: id,
                    userID: (id - 1) / 10 + 1,
                    title: String(lines.first!),
                    body: lines.dropFirst().joined(separator: "\n")
                )
            )
        }
        return posts
    }()
}

extension Examples {
    /// The posts 1 to 60: harvest, transport, the weighbridge, lists on a telephone, screens from a
    /// server, storage.
    static let firstPosts = """
        The first barley of the year
        We cut the slope above the river this morning, a week earlier than last summer.
        Thirteen and a half per cent of moisture at noon, so the dryer stays cold for now.

        Why we start with the headlands
        The ends of a field ripen unevenly because every machine turns there.
        Cutting them first gives us room, and the mixed grain goes into one trailer of its own.

        Forty hectares in a day
        Two combines, three trailers and nobody waiting: that was yesterday.
        The trick was not speed but parking the empty trailer where the next turn would end.

        A stone in the header
        One flint the size of a fist cost us four hours and eleven knives.
        We now walk the two fields that were ploughed deepest before the machine goes in.

        Night harvest, and when to stop
        Straw gets tough after ten in the evening, and the losses behind the combine double.
        We stop when the sieve sounds different, not when the clock says so.

        What the yield map did not show
        The map blamed the soil for the poor corner behind the wood.
        It was deer. A fence for two seasons brought the corner back to average.

        Changing from barley to wheat
        Cleaning a combine between crops takes three people ninety minutes if it is done well.
        A handful of barley in a wheat sample is enough for an argument at the silo.

        Rain at four o'clock
        The forecast said six, the sky said four, and we believed the sky.
        The last trailer was covered with the first drops on the windscreen.

        Straw is a crop as well
        Neighbours with cattle reserve their bales in June now, before anybody has seen the straw.
        We bale what they asked for and chop the rest for the soil.

        The last field of the season
        It is always the small one with the oak in the middle.
        Everyone comes to see it cut, and then nobody knows what to do with the evening.

        A lorry that came on the wrong day
        The driver had the right order and last week's date, printed on paper.
        Since then the date is read aloud at the gate, and it has not happened again.

        How many lorries fit into a morning
        Our yard takes nine between seven and noon, whatever the plan says.
        The tenth waits an hour and the driver tells everyone about it.

        Thirty tonnes in three loads
        A contract of exactly thirty tonnes sounds easy until the third lorry is half empty.
        We fill the small one last, so that the remainder is known before it leaves.

        The bridge with the low limit
        Twenty-six tonnes is the limit on the short way, and forty on the long one.
        The long way is nineteen minutes more and has never yet cost us a fine.

        Booking a slot at the silo
        Slots of fifteen minutes are too short for a trailer with a narrow hatch.
        The silo gave us twenty-five on request; it was enough to ask.

        Empty kilometres
        Four lorries in ten drove home with nothing in them last autumn.
        Fertiliser on the way back brought it down to two, and paid for the tarpaulins.

        Tarpaulins, again
        A load that leaves at thirteen per cent arrives at fifteen if it rains on it for an hour.
        The new covers close in forty seconds, and a driver needs no ladder.

        When a driver cannot find the farm
        Addresses here name a village, and the village is eight kilometres long.
        We now send a position with every order, and the number of the person at the gate.

        Two windows for one contract
        The buyer wanted July and the mill wanted August, so the contract now runs over both.
        What is left in the last week is everybody's problem, and we plan that week first.

        Rescheduling without telephone calls
        Moving a delivery to another day used to take three calls and end in a misunderstanding.
        Now it is one tap, and everyone who looks at the contract sees it move.

        Gross, tare, net
        The bridge only ever knows gross and tare; what is paid for is the difference.
        So we weigh every lorry twice, even those that came empty an hour ago.

        Why weights come in steps of twenty
        A road weighbridge is verified in steps of twenty kilograms, so no ticket ends in seven.
        If one does, someone typed it.

        A lorry that lost sixty kilograms
        It had not lost grain, it had burned diesel while it waited in the queue.
        Weigh empty as soon as the hopper closes, not after lunch.

        Verification day
        Once a year a lorry full of iron weights stands on the bridge for a morning.
        The bridge was right to within one step at every load, and has a new seal.

        The ticket that nobody signed
        An unsigned ticket is a scheduled delivery, not a weighed one, whatever the display said.
        The list now shows the two in different type, and the questions have stopped.

        Wind on the weighbridge
        A gust against a high trailer moves the display by forty kilograms.
        Wait for three equal readings; it takes five seconds and saves a dispute.

        Five per cent more than agreed
        Nature does not load to the kilogram, so contracts allow a little more in the end.
        Beyond five per cent the surplus needs a contract of its own.

        Mud counts as well
        After a wet week the wheels of one lorry carried ninety kilograms of field.
        It came back to the field with the tare, but only because we weighed it empty again.

        Reading a bridge from the office
        The display is now on the network, and the weight appears in the list without typing.
        The first thing that we noticed was how many typing errors there had been.

        A queue of eleven
        The bridge needs two minutes and the sampling five, so the bridge was never the trouble.
        A second sampling lance halved the queue for the price of a set of tyres.

        A list that jumps is a list that lies
        If rows move while a thumb is on its way down, the wrong row gets tapped.
        Keep what the reader sees in place, and let news arrive above or below it.

        Reload is not an update
        Reloading a table shows the right rows and forgets where the reader was.
        Insert, delete and move what changed, and nobody notices that anything happened.

        Empty states deserve a sentence
        A blank screen could mean no data, no network or no permission.
        Say which, and put the one useful button below it.

        Section headers do the counting
        Three deliveries, thirty tonnes: the header answers the question before it is asked.
        Then the rows can be about what differs between them.

        The cell that knew too much
        Ours fetched its own picture, formatted its own date and decided who could tap it.
        It now receives three strings, and has had no bug since spring.

        How tall is a row
        Measure text once for a width and remember it; asking again while scrolling is too late.
        The rows of a day with forty deliveries are all of one height anyway.

        Pull to refresh, and why we removed it
        It was there because people did not trust the list to be current.
        Once changes arrived by themselves, they stopped pulling within a month.

        Swipe actions nobody found
        Half of our testers never swiped a row in their lives.
        What can be done with a row now stands in its menu as well, with words.

        Selecting by accident
        A row without a destination should not light up when touched.
        If it lights up, people wait for something to open, and then they tap harder.

        Scrolling back to where you were
        After a detail has been read, the list should be exactly as it was left.
        That is easy while rows keep their identity, and hopeless when they are only positions.

        Screens that come from the server
        We moved the list logic out of three apps and into one place.
        A new rule for cancelled orders reached every telephone by lunch, without a release.

        Send the difference
        The whole list is two hundred kilobytes, and what changed since breakfast is four hundred bytes.
        A client that says which version it has can be told just that.

        What a version should name
        Not the time of the request, and not the revision of the code, but the content.
        If two answers read the same, they should carry the same name.

        A move is not a delete and an insert
        On paper they give the same list; on a screen one glides and the other blinks.
        A text field that is being edited survives the first and not the second.

        Slow readers
        One tablet in the machine shed is always thirty seconds behind.
        It is told what lies between its version and the newest, and never the steps in between.

        The day the cache was too clever
        It kept a total that nobody had told about a correction.
        Now what reads data says so while it reads, and forgetting to say it is impossible.

        Two people, one row
        She moved the delivery to Thursday while he was weighing it on Wednesday.
        The server took both, in order, and each saw what the other had done.

        Restarting at noon
        We replaced the server in the middle of a working day to see who would complain.
        Clients came back with their versions, got their small differences and nobody called.

        Rules belong beside the data
        An app that checks a limit is polite; a server that checks it is right.
        Keep the polite check if you like, and test the other one.

        Old apps never leave
        There is a telephone in cabin two that was last updated three years ago.
        It still works, because what we send it has only ever gained things it can ignore.

        Cooling grain with night air
        A ventilator that runs from two to six in the morning brings a bin down by a degree a night.
        By October it is at twelve degrees, and the insects have given up.

        The smell at the hatch
        Before any probe, open the hatch and breathe in: sound grain smells of almost nothing.
        Sweet is early trouble, and sour means it is time to move the bin.

        Probes at three depths
        The top warms in the sun and the bottom lies on cold concrete; the middle tells the truth.
        We read all three, and act on the middle.

        Keeping varieties apart
        Malting barley is worth more than feed barley until somebody mixes the two.
        Every bin has one name on its door, and the name goes out with the last kilogram.

        An auger that ground the grain
        Running half empty, it broke four kernels in a hundred.
        Fill it or slow it down; it is the space between that does the harm.

        What fits into bin seven
        The plate says five hundred tonnes, which is true of wheat and far from true of oats.
        We wrote the four figures that matter beside the plate.

        Mice, cats and seals
        A cat is good company and no plan.
        Rubber seals on nine doors did in a week what the cat had not done in years.

        Emptying the last tonne
        The cone holds a tonne that does not flow by itself, and it is always the oldest.
        Nobody goes in alone, nobody goes in without a rope, and nobody goes in while it turns.

        Drying costs more than waiting
        From eighteen per cent to fourteen takes as much gas as the margin of the load.
        Two dry days in the forecast are worth leaving it on the stalk.

        The inventory that matched
        For the first time the bins, the tickets and the ledger agreed to within a tonne.
        We checked it twice, because none of us believed it.
        """
}
