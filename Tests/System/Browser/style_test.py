"""Tests of style sheets: layers, container widths and forced colours."""

from driving.browser import BrowserTest, StageTest

# Code that finds all style rules, each with the at-rules that contain it.
RULES = """
const walk = (rules, around) => [...rules].flatMap((rule) => {
  if (rule.cssRules && !rule.selectorText) return walk(rule.cssRules, [...around, rule]);
  return rule.selectorText ? [{ rule, around }] : [];
});
const rules = [...document.styleSheets].flatMap((sheet) => walk(sheet.cssRules, []));
"""

# Code that returns the luminances of the darkest and the lightest pixel of a picture.
LUMINANCES = """
const [data] = given;
const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
context.drawImage(picture, 0, 0);
const { data: pixels } = context.getImageData(0, 0, picture.width, picture.height);
const linear = (part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const lights = [];
for (let index = 0; index < pixels.length; index += 4) {
  const [red, green, blue] = [...pixels.slice(index, index + 3)].map(linear);
  lights.push(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}
return [Math.min(...lights), Math.max(...lights)];
"""


class StyleTest(BrowserTest):
    """Tests of the styles of the page."""

    def open_all(self, address):
        """Opens a view and waits for all style sheets."""
        self.open(address)
        self.wait(lambda: self.all("#edits button"), "the edits")

    def test_all_style_rules_are_in_layers_and_none_is_marked_important(self):
        self.open_all("settings")
        self.press("firstName")
        self.wait(lambda: self.all("#sheet input"), "the sheet")
        found = self.js(RULES + """
            return {
              areRead: rules.length > 0,
              loud: rules.filter(({ rule }) => rule.cssText.includes('!important')).map(({ rule }) => rule.cssText),
              loose: rules.filter(({ around }) => !around.some((one) => one instanceof CSSLayerBlockRule)).map(({ rule }) => rule.cssText),
              hovering: rules.filter(({ rule, around }) => rule.selectorText.includes(':hover')
                && !around.some((one) => one.conditionText === '(hover: hover)')).map(({ rule }) => rule.cssText),
            };
        """)
        self.assertEqual(found, {"areRead": True, "loud": [], "loose": [], "hovering": []})

    def test_a_phone_is_laid_out_for_its_own_width_and_not_for_the_width_of_the_window(self):
        widths = {}
        for width in [390, 1024, 1440]:
            self.look(width=width)
            self.open("artist")
            widths[width] = self.js("return document.querySelector('#list .cover').getBoundingClientRect().width")
        # A window of 1,024 pixels has two narrow phones.
        self.assertLess(widths[1024], widths[390])
        self.assertEqual(widths[1440], widths[390])

    def test_an_email_address_fits_on_one_line(self):
        for width in [320, 1024]:
            with self.subTest(width):
                self.look(width=width)
                self.open("settings")
                lines = self.js("""
                    const range = document.createRange();
                    range.selectNodeContents(document.querySelector('#list [data-id="email"] .value'));
                    return range.getClientRects().length;
                """)
                self.assertEqual(lines, 1)

    def test_the_tab_of_the_current_screen_is_visible(self):
        self.look(width=320, height=640)
        self.open("wifi")
        for screen in ["settings", "artist", "deliveries", "wifi"]:
            title = self.server.get(f"/screens/{screen}?locale=en").get("title")
            self.js("location.hash = `#/${arguments[0]}`", screen)
            self.wait(lambda: title in self.text("#title"), title)
            (left, right), (start, end) = self.js("""
                return [document.querySelector('#navigation'), document.querySelector('#screens [aria-current]')]
                  .map((node) => node.getBoundingClientRect()).map((rect) => [rect.left, rect.right]);
            """)
            self.assertGreaterEqual(start, left - 1, screen)
            self.assertLessEqual(end, right + 1, screen)

    def test_the_link_to_the_previous_view_fits_on_one_line(self):
        for width in [320, 390, 1440]:
            with self.subTest(width):
                self.look(width=width)
                self.open("artist")
                self.js("document.querySelector('#list [data-type=album] a').click()")
                self.wait(lambda: self.one("#back").is_displayed(), "the way back")
                lines = self.js("""
                    const range = document.createRange();
                    range.selectNodeContents(document.querySelector('#back'));
                    return [...new Set([...range.getClientRects()].map(({ top }) => top))].length;
                """)
                self.assertEqual(lines, 1)

    def test_the_error_at_an_invalid_parameter_has_the_colour_of_problems(self):
        self.expects_failed_requests = True
        self.open("posts")
        self.js("""
            const input = document.querySelector('#parameters input');
            input.value = '-3';
            input.dispatchEvent(new Event('input', { bubbles: true }));
        """)
        self.wait(lambda: self.text("#parameters .error").strip(), "the problem")
        self.assertEqual(*self.js("""
            const probe = document.body.appendChild(document.createElement('p'));
            probe.style.setProperty('color', 'var(--problem)');
            return [document.querySelector('#parameters .error'), probe].map((node) => getComputedStyle(node).color);
        """))

    def test_reduced_motion_disables_transitions(self):
        self.look(motion="reduce")
        self.open_all("wifi")
        moving = self.js("""
            return [...document.querySelectorAll('*')].flatMap((node) => [undefined, '::before', '::after'].map((pseudo) => getComputedStyle(node, pseudo)))
              .filter(({ transitionDuration, animationName }) => transitionDuration !== '0s' || animationName !== 'none').length;
        """)
        self.assertEqual(moving, 0)


class AnimationStyleTest(StageTest):
    """Tests of styles during animations."""

    def test_deleted_rows_between_others_have_no_rounded_corners(self):
        corners = self.on_stage("""
            await stage.snapshot([section('a', ['1', '2', '3', '4'])]);
            stage.change({ deleteCells: [[0, 1, 2]] });
            return [...document.querySelectorAll('.ghosts > *')].map((node) => getComputedStyle(node).borderRadius);
        """)
        self.assertEqual(corners, ["0px", "0px"])

    def test_a_header_that_moves_casts_no_shadow(self):
        shadows = self.on_stage("""
            const header = { header: { type: 'h', title: 'H' } };
            await stage.snapshot([section('a', ['1'], header), section('b', ['2'], header)]);
            stage.change({ moveSections: [[1, 0]] });
            for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = 210; }
            return ['.header', '.cell'].map((selector) => getComputedStyle(stage.root.querySelector(selector)).boxShadow);
        """)
        self.assertIn("rgba(0, 0, 0, 0)", shadows[0])
        self.assertNotIn("rgba(0, 0, 0, 0)", shadows[1])


class ForcedColoursTest(BrowserTest):
    """Tests that icons and controls have enough contrast with forced colours."""

    def force(self, theme):
        features = {"forced-colors": "active", "prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
        media = [{"name": name, "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})

    def luminances(self, selector, left=0, width=None):
        """Returns the luminances of the darkest and the lightest pixel in the middle of a node, or in a part of it."""
        clip = self.js("""
            const [selector, left, width] = arguments;
            const node = document.querySelector(selector);
            node.scrollIntoView({ block: 'center' });
            const rect = node.getBoundingClientRect();
            const x = left < 0 ? rect.right + left : rect.left + left;
            return { x, y: rect.top + rect.height / 4, width: width ?? rect.width, height: rect.height / 2, scale: 1 };
        """, selector, left, width)
        picture = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
        return self.run_module(LUMINANCES, picture)

    def contrast(self, dark, light):
        return (light + 0.05) / (dark + 0.05)

    def assert_seen(self, *signs):
        """Checks that each shape has a contrast of at least 3."""
        contrasts = {selector: self.contrast(*self.luminances(selector, *part)) for selector, *part in signs}
        self.assertEqual({selector: contrast for selector, contrast in contrasts.items() if contrast < 3}, {})

    def test_icons_and_controls_of_the_wifi_screen_and_the_inspector_have_enough_contrast(self):
        self.server.perform("wifi", "join", network="grange", password="12345678")
        for theme in ["light", "dark"]:
            with self.subTest(theme):
                self.force(theme)
                self.open("wifi")
                self.wait(lambda: self.all("#edits button"), "the edits")
                self.assert_seen(
                    ["#list .tick"], ["#list .lock", -4, 8], ["#list .bars"], ["#list .knob"], ["#list .bars i.on", -4, 8], ["#pause"], ["#older"],
                    ["#connection", 0, 9], ["#list .cell[data-type=network]:last-child .row", -32, 24], ["#list .act", -2, 6], ["#edits .edit", -2, 6],
                )

    def test_the_search_field_and_the_buttons_of_a_list_and_a_notice_have_enough_contrast(self):
        self.look(width=390)
        self.force("light")
        self.open("mountains")
        self.assert_seen(["#query .search", 8, 24])
        self.open("deliveries")
        self.assert_seen(["#list .more"])
        self.open("posts")
        self.js("document.querySelector('#list .footer .row').click()")
        self.wait(lambda: self.one("#notice-close").is_displayed(), "the notice")
        self.assert_seen(["#notice-close", 8, 28])

    def test_selected_elements_have_enough_contrast_with_other_elements(self):
        self.look(width=390)
        self.force("light")
        self.open("settings")
        for chosen, other in [
            ("#panes [aria-pressed=true]", "#panes [aria-pressed=false]"), ("#screens [aria-current]", "#screens li:nth-child(2) a"),
            ("#locales :checked + span", "#locales :not(:checked) + span"),
        ]:
            grounds = [self.luminances(selector, 5, 2)[0] for selector in [chosen, other]]
            self.assertGreater(self.contrast(*sorted(grounds)), 3, chosen)
