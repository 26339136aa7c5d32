"""Tests of positions and sizes, at rest and during animations."""

from driving.browser import BrowserTest, StageTest

SCREENS = ["settings", "deliveries", "posts", "mountains", "artist", "wifi"]
WIDTHS = [320, 390, 640, 641, 800, 896, 1024, 1312, 1440, 1920]

# Stops all animations at their start.
FREEZE = "for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = 0; }"
RECT = "const rectOf = (node) => { const { left, top, width, height } = node.getBoundingClientRect(); return [left, top, width, height]; };"


class RowAnimationTest(StageTest):
    """Tests of the positions of rows during animations."""

    PRELUDE = RECT

    def assert_near(self, found, wanted, within=0.5):
        self.assertEqual(len(found), len(wanted))
        for one, other in zip(found, wanted):
            self.assertLessEqual(max(abs(a - b) for a, b in zip(one, other)), within, f"{one} {other}")

    def test_the_animation_of_a_deleted_row_starts_at_its_old_place(self):
        for layout in ["table", "collection"]:
            with self.subTest(layout):
                found = self.on_stage(f"""
                    const [layout] = given;
                    const size = layout === 'table' ? {{}} : {{ size: {{ width: 150, height: 90 }} }};
                    const cells = ['1', '2', '3', '4', '5'].map((id) => cell(id, size));
                    await stage.snapshot([section('a', cells, {{ header: {{ type: 'h', title: 'A' }} }}), section('b', ['6'])], layout);
                    const before = ['2', '3', '4', '5'].map((id) => rectOf(stage.byId().get(id)));
                    stage.change({{ deleteCells: [[0, 1, 4]] }});
                    {FREEZE}
                    return [before, [...document.querySelectorAll('.ghosts > *')].map(rectOf)];
                """, layout)
                self.assert_near(found[1], found[0])

    def test_the_animations_of_removed_networks_start_at_their_old_places(self):
        self.open("wifi")
        found = self.run_module(f"""{RECT}
            await import('/relist/render/motion.js');
            const list = document.getElementById('list');
            const rows = () => [...list.querySelectorAll('[data-type="network"]')];
            const seen = document.getElementById('scroll').getBoundingClientRect();
            // Scans move rows before and after the click. Without animations they are always measured at rest.
            const {{ animate }} = Element.prototype;
            Element.prototype.animate = function (keyframes, options) {{
              const animation = animate.call(this, keyframes, options);
              if (!this.closest('.ghosts')) animation.finish();
              return animation;
            }};
            for (const animation of document.getAnimations().filter(({{ id }}) => id)) animation.finish();
            let before;
            const ghosts = new Promise((resolve) => {{
              new MutationObserver(() => {{
                const all = [...document.querySelectorAll('.ghosts > .cell')];
                if (all.length === 0) return;
                {FREEZE}
                resolve(all.map(rectOf));
              }}).observe(document.querySelector('.ghosts'), {{ childList: true }});
            }});
            list.querySelector('[role="switch"]').addEventListener('click', () => {{ before = rows().map((node) => [node.dataset.id, rectOf(node)]); }});
            list.querySelector('[role="switch"]').click();
            const left = await ghosts;
            return [before.map(([, rect]) => rect).filter(([, top,, height]) => top < seen.bottom && top + height > seen.top), left];
        """)
        # A scan may reorder the rows before the click, but it does not change their number.
        self.assert_near(sorted(found[1]), sorted(found[0]))

    def test_a_list_that_grows_at_its_end_does_not_scroll(self):
        self.open("posts")
        found = self.run_module(f"""{RECT}
            const scroll = document.getElementById('scroll');
            scroll.scrollTop = scroll.scrollHeight;
            const last = [...document.querySelectorAll('#list .cell')].at(-1);
            const [start, before] = [scroll.scrollTop, rectOf(last)];
            const grown = new Promise((resolve) => {{
              new MutationObserver(() => document.querySelectorAll('#list .cell').length === 40 && requestAnimationFrame(resolve))
                .observe(document.getElementById('list'), {{ childList: true, subtree: true }});
            }});
            document.querySelector('#list [data-type="more"] .row').click();
            await grown;
            const waits = document.getAnimations().filter(({{ id }}) => id === 'insert').map(({{ effect }}) => effect.getTiming().delay);
            return {{ start, end: scroll.scrollTop, before, after: rectOf(last), waits }};
        """)
        self.assertEqual(found["end"], found["start"])
        self.assert_near([found["after"]], [found["before"]])
        self.assertEqual(set(found["waits"]), {0}, "inserts do not wait, because nothing is deleted")

    def test_a_list_is_never_blank_while_it_is_sorted(self):
        # In a low window, a single row is a large share of the visible rows.
        self.look(height=1100)
        self.open("mountains")
        shares = self.run_module("""
            await import('/relist/render/motion.js');
            const scroll = document.getElementById('scroll');
            const list = document.getElementById('list');
            const filled = () => {
              const { top, bottom } = scroll.getBoundingClientRect();
              const rows = [...list.querySelectorAll('.cell'), ...document.querySelectorAll('.ghosts > *')].map((node) => node.getBoundingClientRect());
              return rows.filter((rect) => rect.bottom > top && rect.top < bottom).length;
            };
            const before = filled();
            const moved = new Promise((resolve) => {
              new MutationObserver(() => { if (document.getAnimations().some(({ id }) => id === 'move')) resolve(); })
                .observe(list, { childList: true, subtree: true });
            });
            document.querySelector('#query [value="height"]').click();
            await moved;
            const animations = document.getAnimations();
            const counts = [0, 20, 60, 120, 240, 420].map((time) => {
              for (const animation of animations) { animation.pause(); animation.currentTime = time; }
              return filled();
            });
            return counts.map((count) => count / before);
        """)
        self.assertGreaterEqual(min(shares), 0.6, shares)

    def test_all_rows_are_in_place_after_an_animation(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', ['1', '2', '3', '4']), section('b', ['5', '6'])]);
            stage.change({ deleteCells: [[0, 0, 1]], insertCells: [{ at: [1, 0], cells: [cell('9')] }], moveCells: [[0, 3, 1, 1, 1]] });
            await stage.settled();
            const moved = [...stage.byId().values()].map(rectOf);
            stage.list.clear();
            stage.list.render(stage.held);
            return [moved, [...stage.byId().values()].map(rectOf)];
        """)
        self.assert_near(found[0], found[1])

    def test_a_header_is_tinted_after_the_cells_that_may_cover_it_have_moved(self):
        found = self.on_stage("""
            const header = (title) => ({ header: { type: 'h', title } });
            const times = () => Object.fromEntries(document.getAnimations().filter(({ id }) => ['move', 'update'].includes(id))
              .map(({ id, effect }) => [id, effect.getComputedTiming()]));
            await stage.snapshot([section('a', ['1', '2'], header('A')), section('b', ['3'], header('B'))]);
            stage.change({ updateSections: [{ at: 1, ...header('B 1') }] });
            const alone = times().update.delay;
            stage.change({ moveCells: [[0, 1, 1, 0, 1]] }, { updateSections: [{ at: 1, ...header('B 2') }] });
            const { move, update } = times();
            return [alone, move.endTime, update.delay];
        """)
        self.assertEqual(found[0], 0)
        self.assertEqual(found[2], found[1])

    def test_a_change_outside_of_the_viewport_is_reported(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', Array.from({ length: 100 }, (_, index) => String(index)))]);
            const outOfSight = (...stages) => { stage.change(...stages); return stage.shown.outOfSight; };
            const below = outOfSight({ updateCells: [{ at: [0, 90], cell: cell('90', { value: 'x' }) }, { at: [0, 95], cell: cell('95', { value: 'x' }) }] });
            const here = outOfSight({ updateCells: [{ at: [0, 1], cell: cell('1', { value: 'x' }) }, { at: [0, 90], cell: cell('90', { value: 'y' }) }] });
            stage.scroller.scrollTop = 2000;
            const above = outOfSight({ deleteCells: [[0, 2, 1]], insertCells: [{ at: [0, 0], cells: [cell('new')] }] });
            return [below, here, above];
        """)
        self.assertEqual(found, [
            {"above": [], "below": ["90", "95"]}, {"above": [], "below": []}, {"above": ["new", "2"], "below": []},
        ])


class LayoutTest(BrowserTest):
    """Tests of the layout of the page at many widths."""

    def test_the_header_is_visible_at_every_width(self):
        for width in WIDTHS:
            with self.subTest(width):
                self.look(width=width, height=844)
                self.open("deliveries")
                for selector in [".brand", ".lead", "#screens a", "#parameters select", "#locales"]:
                    self.assertTrue(self.one(selector).is_displayed(), selector)
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)

    def test_wide_windows_have_two_phones_side_by_side(self):
        for width, count in [(390, 1), (1023, 1), (1024, 2), (1440, 2)]:
            with self.subTest(width):
                self.look(width=width)
                self.open("settings")
                self.wait(lambda: len(self.all(".device")) == count, f"{count} phones")
                rects = self.js("return [...document.querySelectorAll('.phone')].map((node) => node.getBoundingClientRect().toJSON())")
                self.assertTrue(all(rect["width"] >= 300 for rect in rects), rects)
                if count == 2:
                    self.assertEqual(rects[0]["top"], rects[1]["top"])
                    self.assertLess(rects[0]["right"], rects[1]["left"])

    def test_a_small_window_shows_the_suggested_edits_below_the_list(self):
        self.look(width=360, height=640)
        self.open("settings")
        self.wait(lambda: self.all("#edits .edit"), "the edits")
        self.assertLessEqual(self.rect(".masthead")["height"], 124)
        edit, row = self.rect("#edits .edit"), self.rect("#list .cell")
        self.assertGreaterEqual(edit["top"], 0)
        self.assertLessEqual(edit["bottom"], 640)
        self.assertLess(row["bottom"], edit["top"])

    def test_all_suggested_edits_are_visible_in_a_wide_window(self):
        for locale in ["en", "fr"]:
            for width in [800, 1024, 1280, 1440]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=800)
                    self.open(f"deliveries?locale={locale}")
                    self.wait(lambda: len(self.all("#edits .edit")) == 4, "the edits")
                    self.assertLessEqual(*self.js("const edits = document.getElementById('edits'); return [edits.scrollWidth, edits.clientWidth]"))

    def test_a_small_phone_shows_the_purpose_of_the_page_in_one_line(self):
        for locale in ["en", "fr"]:
            with self.subTest(locale):
                self.look(width=375, height=640)
                self.open(f"settings?locale={locale}")
                self.assertTrue(self.one(".lead").is_displayed())
                self.assertEqual(self.js("return document.querySelector('.lead').getClientRects().length"), 1)
                self.assertLess(self.rect(".lead")["height"], 44)

    def test_the_ratio_does_not_cover_a_tick_in_the_narrowest_window(self):
        for locale in ["en", "fr"]:
            with self.subTest(locale):
                self.look(width=320, height=640)
                self.open(f"deliveries?contract=240500-000&locale={locale}")
                self.js("document.querySelectorAll('#edits .edit')[1].click()")
                self.wait(lambda: self.text("#counter .times:not(.gzip)") and self.text("#counter .gzip"), "the ratios")
                places = self.js("""
                    return [...document.querySelectorAll('#counter .ticks span')].map((node) => node.getBoundingClientRect())
                      .filter(({ width }) => width > 0).map(({ left, right }) => [left, right]).sort(([a], [b]) => a - b);
                """)
                self.assertEqual([[one, next] for one, next in zip(places, places[1:]) if one[1] > next[0]], [])

    def test_the_edits_stay_visible_on_a_phone_on_its_side(self):
        self.look(width=667, height=375)
        self.open("deliveries?contract=240500-000")
        self.js("arguments[0].scrollIntoView({ block: 'center' })", self.cell("5034-1"))
        visible = self.js("""
            const { left, top, width, height } = document.querySelector('#edits .edit').getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2)?.className;
        """)
        self.assertEqual(visible, "edit")

    def test_each_caption_of_the_tour_is_visible_without_changing_the_layout(self):
        for locale in ["en", "fr"]:
            for width, height in [(320, 640), (375, 667), (667, 375), (1280, 800)]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=height)
                    self.open(f"settings?locale={locale}")
                    self.one("#edits .demonstration").click()
                    self.wait(lambda: self.text("#edits .caption"), "a caption")
                    found = self.run_module("""
                        const { phrases } = await import('./page/inspecting/phrases.js');
                        const [edits, caption] = [document.getElementById('edits'), document.querySelector('#edits .caption')];
                        const { pause, play, compressed, ...captions } = phrases(given[0]).tour;
                        return ['', ...Object.values(captions)].map((text) => {
                          caption.textContent = typeof text === 'function' ? text('827\\u00a0B', '837\\u00a0kB') : text;
                          if (typeof text === 'function') {
                            const [span, button] = ['span', 'button'].map((tag) => document.createElement(tag));
                            [span.textContent, button.textContent, button.className] = [caption.textContent, phrases(given[0]).use, 'next'];
                            const more = span.appendChild(document.createElement('span'));
                            [more.className, more.textContent] = ['compressed', ` ${compressed('407\\u00a0B', '50\\u00a0kB')}`];
                            caption.replaceChildren(span, button);
                          }
                          const isFitting = edits.scrollWidth <= edits.clientWidth && edits.scrollHeight <= edits.clientHeight;
                          return [isFitting, typeof text === 'function', edits.clientHeight];
                        });
                    """, locale)
                    self.js("document.querySelector('#edits .demonstration').click()")
                    self.wait(lambda: self.all("#edits .caption[hidden]"), "the tour to stop")
                    self.assertEqual([is_fitting for is_fitting, *_ in found], [True] * len(found))
                    # In a narrow window, the last caption has a row of its own.
                    heights = {height for _, is_last, height in found if width > 640 or not is_last}
                    heights.add(self.js("return document.getElementById('edits').clientHeight"))
                    if width > 320:
                        self.assertEqual(len(heights), 1, heights)

    def test_touch_targets_are_large_enough(self):
        self.look(width=390, height=844)
        for screen in SCREENS:
            with self.subTest(screen):
                self.open(screen)
                small = self.js("""
                    const targets = 'a[href], button, select, input:not([type=radio]), .segments span, summary';
                    return [...document.querySelectorAll(targets)].filter((node) => node.checkVisibility() && !node.closest('.skip, #inspector'))
                        .filter((node) => node.getBoundingClientRect().height < 43.5).map((node) => node.outerHTML.slice(0, 90));
                """)
                self.assertEqual(small, [])

    def test_at_a_zoom_of_400_percent_the_page_scrolls_as_a_whole(self):
        self.look(width=320, height=180)
        self.open("deliveries")
        self.assertGreater(self.js("return document.documentElement.scrollHeight"), 600)
        self.js("window.scrollTo(0, document.querySelector('#list').getBoundingClientRect().top)")
        covered = self.js("""
            const list = document.querySelector('#list');
            return [10, 60, 110, 160].filter((y) => !list.contains(document.elementFromPoint(160, y)));
        """)
        self.assertLessEqual(len(covered), 1, "nothing covers the list")

    def test_the_list_fills_half_of_the_window_at_a_zoom_of_200_percent(self):
        for width, height in [(640, 512), (720, 450), (960, 480)]:
            with self.subTest(width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.js("arguments[0].scrollIntoView({ block: 'center' })", self.cell("schedule"))
                shares = self.js("""
                    const share = (selector) => {
                      const { left, width } = document.querySelector(selector).getBoundingClientRect();
                      const nodes = Array.from({ length: 20 }, (_, index) => document.elementFromPoint(left + width / 2, (index + 0.5) * innerHeight / 20));
                      return nodes.filter((node) => node?.closest(selector)).length / 20;
                    };
                    return [share('#list'), share('#edits .edit')];
                """)
                self.assertGreaterEqual(shares[0], 0.5)
                self.assertGreater(shares[1], 0, "the edits stay visible")
                if width >= 896:
                    self.assertEqual([self.rect("#inspector")[edge] for edge in ["top", "bottom"]], [0, height])

    def test_a_sheet_is_visible_in_a_low_window(self):
        for width, height in [(320, 256), (640, 512), (667, 375), (720, 450), (1280, 400)]:
            with self.subTest(width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.js("window.scrollTo(0, document.querySelector('#list').getBoundingClientRect().top)")
                # The buttons of the panes cover the end of the window.
                self.js("arguments[0].scrollIntoView({ block: 'center' })", self.cell("schedule"))
                self.press("schedule")
                self.one("#sheet input")
                sheet = self.rect("#sheet .sheet")
                self.assertGreaterEqual(sheet["top"], 0)
                self.assertLessEqual(sheet["bottom"], height)
                covered = self.js("return [...document.querySelectorAll('#sheet .heading, #sheet input')].filter((node) => {"
                                  " const { left, top, width } = node.getBoundingClientRect();"
                                  " return !document.elementFromPoint(left + width - 4, top + 4)?.closest('#sheet'); }).length")
                self.assertEqual(covered, 0, "nothing covers the sheet")

    def test_short_words_are_not_broken_across_lines(self):
        for locale in ["en", "fr"]:
            for screen in SCREENS:
                with self.subTest(screen, locale=locale):
                    self.look(width=320, height=700)
                    self.open(f"{screen}?locale={locale}")
                    if screen == "settings":
                        self.server.perform("settings", "connect")
                        self.wait(lambda: self.all("#list .cell .act"), "the account")
                    broken = self.js("""
                        const words = [];
                        for (const node of document.querySelectorAll('#list .row > span, #list .act, #screens a, .segments span')) {
                          if (!node.firstChild || node.children.length > 0 || !node.checkVisibility()) continue;
                          for (const [word, index] of [...node.textContent.matchAll(/\\S+/g)].map((match) => [match[0], match.index])) {
                            const range = document.createRange();
                            range.setStart(node.firstChild, index);
                            range.setEnd(node.firstChild, index + word.length);
                            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                            if (lines.size > 1 && word.length <= 16 && !/[-/@.·]/.test(word)) words.push(word);
                          }
                        }
                        return words;
                    """)
                    self.assertEqual(broken, [])

    def test_the_layout_does_not_shift_while_the_page_loads(self):
        # Streams are opened but deliver no changes, because changes of a list shift the layout too.
        silence = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const send = window.fetch;
            window.fetch = async (...request) => {
              const response = await send(...request);
              if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response;
              response.body.cancel();
              window.isSilent = true;
              const version = new URL(response.url).searchParams.get('version');
              const event = new TextEncoder().encode(`event: current\\nid: ${version}\\ndata: {}\\n\\n`);
              return new Response(new ReadableStream({ start: (stream) => stream.enqueue(event) }), { headers: response.headers });
            };
        """})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", silence)
        for width, height in [(390, 844), (1440, 900)]:
            for screen in SCREENS:
                with self.subTest(screen, width=width):
                    self.look(width=width, height=height)
                    self.open(screen)
                    shift = self.run_module("""
                        return new Promise((resolve) => {
                          let all = 0;
                          new PerformanceObserver((list) => { for (const entry of list.getEntries()) all += entry.value; })
                            .observe({ type: 'layout-shift', buffered: true });
                          requestAnimationFrame(() => requestAnimationFrame(() => resolve(all)));
                        });
                    """)
                    self.assertTrue(self.js("return window.isSilent"))
                    self.assertLess(shift, 0.01)

    def test_unchanged_files_are_not_sent_again(self):
        self.open("settings")
        status = self.run_module("""
            const files = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\.(js|css)$/.test(name));
            const answers = await Promise.all(files.map(async (file) => {
              const { headers } = await fetch(file, { cache: 'no-store' });
              return (await fetch(file, { cache: 'no-store', headers: { 'If-None-Match': headers.get('ETag') } })).status;
            }));
            return [...new Set(answers)];
        """)
        self.assertEqual(status, [304])

    def test_the_border_of_the_phone_is_visible_in_dark_mode(self):
        self.look(width=1440, theme="dark")
        self.open("settings")
        edge, desk = self.js("""
            const light = (text) => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
            return [light(getComputedStyle(document.querySelector('.phone')).borderTopColor), light(getComputedStyle(document.body).backgroundColor)];
        """)
        self.assertGreater(edge - desk, 120)
