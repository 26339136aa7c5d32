extension Examples {
    /// The posts 61 to 120: contracts, weather, tests, quality, people, numbers and words.
    static let lastPosts = """
        Reading a contract from the bottom
        The price is on the first page and the reasons for lowering it are on the last.
        We start with the last one, and ask our questions before we sign.

        Price now or price later
        Selling a third at sowing, a third at harvest and a third in winter has no cleverness in it.
        It has let us sleep through four very different years.

        What discounted means
        The grain was delivered and accepted, and something in the sample was below the agreement.
        The price is lowered by a table that both sides knew beforehand.

        A contract number is not a name
        On the telephone everybody says Planet or Rubisko, and there were three of each.
        The list shows the name large and the number small, and both can be searched.

        Half a lorry too much
        The contract was full and fourteen tonnes stood in the yard with the engine running.
        An afternoon of calls made it a new contract; a look at the total would have been quicker.

        Delivery windows, seen from the mill
        A mill wants the same quantity every week, and farms want to deliver everything in July.
        The window is where the two meet, and a premium for September moves it along.

        When both sides keep a list
        Ours said twenty-six tonnes and theirs said twenty-five nine hundred and eighty.
        They were both right: theirs was weighed and ours was planned.

        Signing on a telephone
        The buyer signed in a train and the seller in a stable, within the same quarter of an hour.
        The paper copy followed a week later and is in a drawer that no one opens.

        Cancelling early is a courtesy
        A slot that is freed the evening before finds someone else; one freed at the gate does not.
        We thank people for early cancellations, and there are more of them now.

        The small contracts matter
        Ten tonnes of peas take as much paper as a thousand tonnes of wheat.
        But the farm with the peas is the one that told two neighbours about us.

        Three forecasts and a window
        Each of the three services is right about a third of the time, and rarely on the same day.
        When all of them agree, we plan; otherwise we look out of the window.

        Dew until eleven
        There was no rain this week, and still no combine moved before noon.
        The valley keeps its dew two hours longer than the hill, so the hill goes first.

        Hail has an edge
        On one side of the lane every ear was down, and on the other not a leaf was torn.
        The adjuster walked the line with us and drew it on the map.

        A dry May
        Eleven millimetres in thirty-one days; the barley hurried and the wheat waited.
        It was the wheat that was right.

        Measuring rain in five places
        Our gauges stand four kilometres apart and disagree by half.
        The shower that saved the rape never reached the beans.

        Wind and spraying
        Above nineteen kilometres an hour the work stops, whatever the calendar wanted.
        Most of the good hours are before breakfast anyway.

        Frost in the low corner
        Cold air flows like water and collects behind the hedge.
        A gap of three metres in that hedge let it drain, and the corner flowered with the rest.

        The warmest February
        Aphids that should have died flew in March.
        We looked at the yellow traps twice a week, and treated one field out of six.

        Fog on the road to the port
        Six lorries left at five and arrived at nine, instead of seven.
        The port had kept their slots, because somebody had moved them in the plan by half past five.

        What the old diary says
        My grandfather wrote the weather down every evening for forty-one years.
        He complains about the same week in August that we complain about.

        A test that waits is a test that fails on Fridays
        Half a second was always enough, until the machine was busy.
        Wait for the event that you mean, and the clock is no longer part of the test.

        Break it once on purpose
        A test that has never been red has not been tested.
        Change one sign in the code, watch which tests notice, and change it back.

        Random input with a name
        Two thousand random lists found a fault that we would not have thought of.
        The seed was in the report, so it took a minute to see it again.

        Counting instead of timing
        A stopwatch in a test measures the neighbour's build.
        Count comparisons, rows or bytes, and the number is the same on every machine.

        The fixture that everybody edited
        It had grown to nine hundred lines, and each test needed four of them.
        Now each test says its four lines itself, and the file is gone.

        Names of tests are sentences
        When one fails at night, its name is all that the person on duty sees.
        A moved row keeps its text: that can be understood at three in the morning.

        The fault was in the test data
        Our sample contract ended on the thirty-first of June.
        The code was right to refuse it, and we had spent a day making it accept.

        Testing the way back
        Apply the change to the old list, and compare with the new one: that is the whole test.
        It knows nothing about how the change was found, and so it survived two rewrites.

        Cutting the power
        We stopped the process two hundred times in the middle of a write.
        Each time the file opened again with all that had been promised, and nothing by halves.

        A bug report with a picture
        The picture showed the clock, the battery and the row that appeared twice.
        From the clock we found the request, and from the request the two deliveries with one number.

        Protein, and where it goes
        The early nitrogen makes straw and the late one makes protein.
        A baker wants twelve per cent, and a maltster is happy below eleven.

        Sampling is most of the result
        The laboratory is precise to a tenth, and the handful from the top of the trailer is not.
        Eight probes across the load, mixed and divided, and the arguments have ended.

        Germination in three days
        Malting barley has to be alive: ninety-five grains in a hundred must sprout.
        We keep a dish of each bin on the office windowsill, with the date on its lid.

        The falling number
        A rod sinks through warm paste, and the seconds that it takes say whether wheat will bake.
        After a wet harvest it sinks like a stone, and so does the price.

        Specific weight
        A litre of good wheat weighs seven hundred and eighty grams.
        It is the oldest test that we have, and still the first that a buyer asks for.

        Broken kernels
        They count as impurities from three per cent on.
        Slowing the drum by fifty turns a minute made the difference for a whole harvest.

        Calibrating the moisture meter
        Ours read four tenths too dry, which sounds like little and was eleven lorries' worth of water.
        It now goes to the laboratory each June with three samples.

        Colour is not quality, but
        Rain before harvest bleaches barley, and nothing else about it changes.
        The buyer still looks at it twice, and we send the analysis before the sample.

        What a mycotoxin limit looks like
        It is a number in millionths, and it decides over a hundred tonnes.
        Rotation and ploughing do more for it than anything that comes in a can.

        Keeping a sample for a year
        A kilogram of each load stands sealed in a cellar at twelve degrees.
        It has been needed twice in ten years, and both times it was worth the cellar.

        The gate at seven in the morning
        Marta knows every driver by the sound of the engine.
        A system that replaces her list has to be at least as quick as her pencil.

        Learning the app in the shed
        Nobody reads instructions with gloves on.
        We watched for an hour, made two buttons larger and removed a question.

        A meeting without slides
        Four growers, two drivers and the mill sat around the printed list of last week.
        The three changes that came out of it cost a day, and are used every hour.

        Whose password is it
        Six people shared one account, and the name on every change was the same.
        Each has an own account now, and it took one morning and a box of pastries.

        The apprentice asks why
        Why is the tare entered by hand if the bridge measured it an hour ago?
        None of us had a good answer, so the field is gone.

        Two languages in one yard
        Half of the drivers read French and the others English, and all of them read numbers.
        Dates were the real trouble: the seventh of December arrived in July.

        Handing over on Friday
        Whoever leaves writes three lines: what is open, what is late, who was promised what.
        Monday begins at seven now, and not at ten.

        A complaint is a measurement
        He said that the list was slow, and it was quick on every device we owned.
        On his it was not: four years old, and two bars of signal behind the hill.

        Retirement of a notebook
        For twenty years the deliveries stood in a green notebook with a string.
        We keep it beside the screen, and now and then somebody still checks.

        Thanking the night shift
        Forty-three lorries were unloaded between midnight and six.
        The list showed it in the morning, and it deserved more than a list.

        A tonne has a thousand kilograms
        Store the kilograms as whole numbers, and every sum comes out exact.
        Tonnes with a point or a comma are for people, and are made at the last moment.

        The date without a time
        A delivery on the twelfth of July is on the twelfth everywhere.
        Give it an hour and a zone, and in some country it moves to the eleventh.

        Sorting names with accents
        To most machines Épeautre comes after Seigle, and to all readers before Fève.
        Sort for the reader's language, and search without the accents.

        Plural is harder than it looks
        One delivery, two deliveries; in French, zero delivery as well.
        Let the language decide, and never glue an s to a word.

        Rounding in public
        Three loads of 10.3 tonnes were shown as 10, and their total as 31.
        Round what is shown and never what is added, and show one digit more than you like.

        Identifiers are for keeping
        A number that was given to a cancelled delivery is not given to another one.
        Sooner or later somebody looks for the first, and finds the second.

        The empty string and the missing one
        No name yet and a name of no letters look the same on paper.
        Decide which of them you mean, once, and write it down beside the field.

        Units in the heading
        Putting t after every weight filled a narrow column with the letter t.
        It now stands once, at the top, and the digits line up.

        Percent of what
        Five per cent above the contract is not five per cent above what was delivered.
        The sentence got longer, and the telephone calls got shorter.

        How long is a long list
        Two thousand deliveries look like a lot until someone looks for theirs by its date.
        A day as a heading, a number in bold, and it takes four seconds.
        """
}
