"""Tests that texts and controls fit into their places, and that nothing covers or cuts them."""

from driving.browser import BrowserTest
from selenium.webdriver.common.keys import Keys


class FittingTest(BrowserTest):
    """Tests of the page in narrow, low and wide windows."""

    def test_a_title_that_does_not_fit_in_the_bar_ends_before_the_state_of_the_connection(self):
        for width in [320, 375, 1280]:
            for locale in ["en", "fr"]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=812)
                    self.open(f"deliveries?contract=240500-000&locale={locale}")
                    self.js("document.getElementById('scroll').scrollTop = 600")
                    self.wait(lambda: self.all("#bar.titled"), "the title in the bar")
                    texts, gaps, shares = self.run_module("""
                        const { phrases } = await import('./page/phrases.js');
                        const texts = phrases(given[0]);
                        const [title, state] = ['small-title', 'connection'].map((id) => document.getElementById(id));
                        const all = ['', texts.live, texts.reconnecting, texts.version(10, 12), texts.stage(1, 3)];
                        const found = all.map((text) => {
                          document.getElementById('connection-text').textContent = text;
                          return [state.getBoundingClientRect().left - title.getBoundingClientRect().right, title.clientWidth / title.scrollWidth];
                        });
                        return [all, found.map(([gap]) => gap), found.map(([, share]) => share)];
                    """, locale)
                    self.assertGreaterEqual(min(gaps), 8, dict(zip(texts, gaps)))
                    self.assertGreater(min(shares), 0.3, dict(zip(texts, shares)))
                    self.assertEqual(self.js("return getComputedStyle(document.getElementById('small-title')).textOverflow"), "ellipsis")
                    self.assertEqual(self.text("#title"), "BLÉ TENDRE CHEVIGNON", "the title of the list is complete")

    def visible_titles(self):
        """Returns the visible titles of the first phone: the small one in the bar, the large one in the list."""
        return self.js("""
            const [title, bar] = ['title', 'bar'].map((id) => document.getElementById(id));
            const text = document.createRange();
            text.selectNodeContents(title);
            const isLarge = text.getBoundingClientRect().bottom > bar.getBoundingClientRect().bottom + 1;
            return [...(bar.matches('.titled') ? ['small'] : []), ...(isLarge ? ['large'] : [])];
        """)

    def test_one_title_is_visible_after_a_skip_to_the_list_and_in_a_window_of_another_size(self):
        for width, height in [(1280, 800), (1000, 900), (375, 812)]:
            with self.subTest(width=width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.one("#skip").send_keys(Keys.ENTER)
                self.wait(lambda: len(self.visible_titles()) == 1, "one title")
        self.js("document.getElementById('scroll').scrollTop = 600")
        self.wait(lambda: self.visible_titles() == ["small"], "the title in the bar")
        self.look(width=812, height=375)
        self.wait(lambda: self.visible_titles() == ["large"], "the title in the list")

    def test_the_first_visible_row_stays_in_the_window_when_the_device_is_rotated(self):
        self.look(width=375, height=812)
        self.open("deliveries?contract=240500-000")
        self.wait(lambda: not self.all("#list .cell:empty"), "all rows to be filled")
        row = self.run_module("""
            const scroll = document.getElementById('scroll');
            const cell = [...scroll.querySelectorAll('.cell')].at(300);
            const scrolled = new Promise((resolve) => { scroll.addEventListener('scroll', resolve, { once: true }); });
            scroll.scrollTop += cell.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
            await scrolled;
            return cell.dataset.id;
        """)
        for width, height in [(812, 375), (375, 812), (1280, 800), (375, 812)]:
            self.look(width=width, height=height)
            # The row is at the top, below the bar in the upright device.
            self.wait(lambda: -2 <= self.rect(f'#list [data-id="{row}"]')["top"] - max(self.rect("#scroll")["top"], 0) <= 2, "the row")

    def test_a_long_title_in_the_bar_leaves_room_for_the_link_to_the_previous_view(self):
        self.look(width=320, height=640)
        self.open("deliveries?contract=240500-000")
        self.js("""
            const back = document.getElementById('back');
            [back.hidden, back.textContent] = [false, 'A previous view with a long title'];
            document.getElementById('scroll').scrollTop = 600;
        """)
        self.wait(lambda: self.all("#bar.titled"), "the title in the bar")
        back, title = self.rect("#back"), self.rect("#small-title")
        self.assertGreaterEqual(back["width"], 44)
        self.assertLessEqual(back["right"], title["left"])

    def test_the_sizes_of_a_change_are_completely_visible_in_a_narrow_window(self):
        for width in [320, 375, 390]:
            for locale in ["en", "fr"]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=700)
                    self.open(f"settings?locale={locale}")
                    self.wait(lambda: self.text("#sent"), "the size")
                    found = self.run_module("""
                        const { phrases } = await import('./page/inspecting/phrases.js');
                        const texts = phrases(given[0]);
                        const [sent, instead] = ['sent', 'instead'].map((id) => document.getElementById(id));
                        const bottom = document.getElementById('bars').getBoundingClientRect().top;
                        const times = (phrase, place) => {
                          const node = document.createElement('span');
                          [node.className, node.textContent] = [`times ${place}`, texts[phrase](1, 2400)];
                          return document.querySelector('#counter .ticks').appendChild(node).getBoundingClientRect();
                        };
                        const [ticks, gzip] = [[...document.querySelectorAll('#counter .ticks span')], times('gzipTimes', 'gzip')];
                        if (gzip.right > ticks[1].getBoundingClientRect().left) throw new Error('the ratio with compression reaches a tick');
                        const sizes = ['828\\u00a0B', '837\\u00a0kB'];
                        return sizes.flatMap((size) => ['lastChange', 'firstLoad'].map((phrase) => {
                          sent.textContent = texts[phrase](size);
                          instead.textContent = texts.wholeScreen('837\\u00a0kB', texts.uncompressed);
                          const range = document.createRange();
                          range.selectNodeContents(sent);
                          const lines = new Set([...range.getClientRects()].map(({ top }) => top)).size;
                          range.selectNodeContents(sent.parentNode);
                          const text = range.getBoundingClientRect();
                          const phone = document.getElementById('devices').getBoundingClientRect().top;
                          const ticks = document.querySelector('#counter .ticks').getBoundingClientRect().bottom;
                          const moved = document.getElementById('bars').getBoundingClientRect().top - bottom;
                          return { lines, isCut: text.right > innerWidth || text.bottom > bottom + moved || ticks > phone, moved };
                        }));
                    """, locale)
                    self.assertEqual({(one["lines"], one["isCut"]) for one in found}, {(1, False)}, found)
                    if locale == "en":
                        self.assertEqual({one["moved"] for one in found}, {0}, "the layout does not shift")

    def test_the_texts_of_a_row_do_not_reach_its_button_in_a_narrow_window(self):
        self.server.perform("settings", "connect")
        for width in [320, 340]:
            with self.subTest(width):
                self.look(width=width, height=700)
                self.open("settings")
                row = "document.querySelector('#list .cell:has(.act) .row')"
                self.assertLessEqual(*self.js(f"const {{ scrollWidth, clientWidth }} = {row}; return [scrollWidth, clientWidth]"))

    def test_the_navigation_of_a_narrow_window_shows_that_more_screens_follow(self):
        self.look(width=390, height=844)
        self.open("settings")
        self.assertGreater(self.rect("#locales")["top"], 0)
        self.js("document.getElementById('navigation').scrollLeft = 10000")
        self.assertIn("linear-gradient", self.js("return getComputedStyle(document.getElementById('navigation')).maskImage"))
        # The last screen is not under the fading edge.
        self.assertLessEqual(self.rect("#screens li:last-child a")["right"], self.rect("#navigation")["right"] - 31)

    def assert_inside(self, control, bar):
        inner, outer = self.rect(control), self.rect(bar)
        self.assertGreaterEqual(inner["left"], outer["left"], control)
        self.assertLessEqual(inner["right"], outer["right"], control)

    def test_the_link_of_the_current_screen_is_visible_in_a_narrow_window(self):
        for width in [320, 375]:
            for screen in ["artist", "wifi"]:
                with self.subTest(screen, width=width):
                    self.look(width=width, height=812)
                    self.open(screen)
                    self.assert_inside("#screens [aria-current]", "#navigation")

    def test_a_control_with_the_focus_is_completely_visible_in_its_bar(self):
        self.look(width=320, height=812)
        self.open("deliveries?contract=240500-000")
        self.wait(lambda: len(self.all("#edits .edit")) == 4, "the edits")
        for bar, controls in [("#navigation", "#screens a"), ("#edits", "#edits button")]:
            for index in range(len(self.all(controls))):
                with self.subTest(bar, index=index):
                    self.js("""
                        const [bar, controls, index] = arguments;
                        const control = document.querySelectorAll(controls)[index];
                        // A small part of the control is visible.
                        const [inner, outer] = [control, document.querySelector(bar)].map((node) => node.getBoundingClientRect());
                        document.querySelector(bar).scrollLeft += inner.left - outer.right + 8;
                        control.focus({ focusVisible: true });
                    """, bar, controls, index)
                    self.assert_inside(":focus", bar)

    def test_the_page_fits_into_a_narrow_window_with_text_of_twice_the_size(self):
        self.browser.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.setFontSizes", {"fontSizes": {"standard": 16}})
        for width, height in [(375, 812), (320, 640)]:
            with self.subTest(width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.assertEqual(self.js("return getComputedStyle(document.documentElement).fontSize"), "32px")
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)
                self.assertLessEqual(self.rect(".brand")["bottom"], self.rect("#locales")["top"])

    def test_the_outline_of_a_summary_does_not_touch_the_text_below(self):
        self.look(width=1280, height=800)
        self.open("settings")
        self.js("document.getElementById('use').open = true")
        self.assertGreater(self.rect("#use .hint")["top"] - self.rect("#use summary")["bottom"], 4)

    def test_the_names_of_the_phones_are_directly_above_the_phones(self):
        self.look(width=1440, height=1200)
        self.open("settings")
        self.assertLessEqual(self.rect(".device .phone")["top"] - self.rect(".device .name")["bottom"], 1)

    def test_the_code_for_clients_is_visible_without_scrolling_on_a_laptop(self):
        self.look(width=1280, height=800)
        self.open("settings")
        self.wait_for_phones(2)
        for name in ["One", "Two", "Three"]:
            self.rename(name)
        self.assertLessEqual(self.rect("#use summary")["bottom"], 800)
        self.assertGreaterEqual(self.rect("#phone")["height"], 480)

    def test_the_controls_of_versions_fit_in_the_inspector_in_each_language(self):
        for width, locale in [(1024, "fr"), (1024, "en"), (900, "fr"), (320, "fr"), (320, "en")]:
            with self.subTest(width=width, locale=locale):
                self.look(width=width, height=600)
                self.open(f"settings?locale={locale}")
                self.js("document.querySelector('#panes [value=inspector]').click()")
                self.js("document.getElementById('version').textContent += ' of the last 100'")
                self.assertLessEqual(self.rect("#present")["right"], self.rect(".versions")["right"])
                self.assertTrue(self.js("const { scrollWidth, clientWidth } = document.getElementById('inspector'); return scrollWidth <= clientWidth"))

    def test_all_parameters_are_visible_in_a_narrow_window(self):
        for width in [320, 375]:
            for screen in ["deliveries", "posts", "artist"]:
                for locale in ["en", "fr"]:
                    with self.subTest(screen, width=width, locale=locale):
                        self.look(width=width, height=812)
                        self.open(f"{screen}?locale={locale}")
                        edges = self.js("return [...document.querySelectorAll('#parameters :is(.caption, input, select)')]"
                                        ".map((node) => node.getBoundingClientRect()).map(({ left, right }) => [left, right])")
                        self.assertGreater(len(edges), 1)
                        for left, right in edges:
                            self.assertTrue(0 <= left < right <= width, (left, right))

    def test_a_sentence_above_the_list_says_what_the_page_shows(self):
        for width, sentence in [(1280, "Two phones show one list."), (375, "The server sends only what changes.")]:
            self.look(width=width, height=812)
            self.open("deliveries")
            lead = self.one(".lead")
            self.assertIn(sentence, lead.text)
            self.assertEqual("Two phones" in lead.text, len(self.all(".device")) == 2)
            self.assertLess(self.rect(".lead")["bottom"], self.rect("#list")["top"])

    def test_the_headline_and_the_fault_buttons_have_space_around_them(self):
        self.look(width=1280, height=800)
        self.open("deliveries")
        self.assertGreaterEqual(self.rect("#sent")["top"] - self.rect(".masthead")["bottom"], 8)
        self.js("document.getElementById('breaking').open = true")
        for width in [1280, 375]:
            self.look(width=width, height=800)
            self.js("document.querySelector('#panes [value=inspector]').click()")
            (_, upper), (lower, _) = self.js("return [...document.querySelectorAll('#breaking button')].map((node) => node.getBoundingClientRect())"
                                             ".map(({ top, bottom }) => [top, bottom])")
            self.assertGreaterEqual(lower - upper, 8, width)

    def test_all_edits_are_visible_beside_the_last_caption_of_the_tour(self):
        for locale in ["en", "fr"]:
            for width in [900, 1280, 1440]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=900)
                    self.open(f"deliveries?contract=240500-000&locale={locale}")
                    self.wait(lambda: len(self.all("#edits .edit")) == 4, "the edits")
                    found = self.js("""
                        const [edits, caption] = ['#edits', '#edits .caption'].map((selector) => document.querySelector(selector));
                        const next = document.createElement('button');
                        [next.className, next.textContent] = ['next', 'Use it'];
                        caption.append('The last change had 827 B. The whole screen has 837 kB.', next);
                        caption.hidden = false;
                        const right = edits.getBoundingClientRect().right;
                        return [...edits.querySelectorAll('button')].filter((node) => node.getBoundingClientRect().right > right).length;
                    """)
                    self.assertEqual(found, 0)

    def test_the_outline_of_the_focus_is_not_cut_by_the_edge_of_the_phone(self):
        self.look(width=1280, height=800)
        self.open("deliveries?contract=240500-000")
        room = """
            const node = document.activeElement;
            const { outlineOffset, outlineWidth } = getComputedStyle(node);
            const [ring, edge] = [node, document.getElementById('scroll')].map((one) => one.getBoundingClientRect());
            const gaps = [ring.left - edge.left, edge.right - ring.right, ring.top - edge.top, edge.bottom - ring.bottom];
            return Math.min(...gaps) - parseFloat(outlineOffset) - parseFloat(outlineWidth);
        """
        self.js("document.getElementById('title').focus({ focusVisible: true })")
        self.assertGreaterEqual(self.js(room), 0, "the title")
        for side, shift in [("bottom", 0), ("top", 8)]:
            # The next button is visible, and touches the edge of the phone.
            self.js("""
                const [scroll, ...buttons] = document.querySelectorAll('#scroll, #list .more');
                const edge = (node) => node.getBoundingClientRect()[arguments[0]];
                const [next, focused] = arguments[0] === 'bottom' ? [buttons[21], buttons[20]] : [buttons[20], buttons[21]];
                focused.focus({ preventScroll: true });
                scroll.scrollTop += edge(next) - edge(scroll);
            """, side)
            self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", {
                "type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": shift})
            self.assertEqual(self.js("return document.activeElement.className"), "more")
            self.assertGreaterEqual(self.js(room), 0, f"a button at the {side}")

    def test_the_link_that_skips_to_the_list_shows_rows_at_a_zoom_of_400_percent(self):
        self.look(width=320, height=256)
        self.open("deliveries")
        self.one("#skip").send_keys(Keys.ENTER)
        visible = self.js("""
            return [...document.querySelectorAll('#list .cell')].map((node) => node.getBoundingClientRect())
              .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length;
        """)
        self.assertGreaterEqual(visible, 2)

    def test_the_page_does_not_scroll_when_a_fold_of_the_inspector_is_opened(self):
        self.look(width=1280, height=800)
        self.open("deliveries")
        self.js("for (const fold of document.querySelectorAll('#inspector details')) fold.open = true")
        self.wait(lambda: self.all("#use .segments input"), "the lines")
        self.assertEqual(self.js("return document.documentElement.scrollHeight"), 800)
