"""What the sheets of style promise: layers, a phone that fits its own width, colours that others force."""

from driving.browser import BrowserTest
from driving.page import script

STAGE = script("stage.js")

# All rules that apply somewhere, each with the at-rules around it.
RULES = """
const walk = (rules, around) => [...rules].flatMap((rule) => {
  if (rule.cssRules && !rule.selectorText) return walk(rule.cssRules, [...around, rule]);
  return rule.selectorText ? [{ rule, around }] : [];
});
const rules = [...document.styleSheets].flatMap((sheet) => walk(sheet.cssRules, []));
"""

# The luminances of the darkest and the lightest pixel.
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
    """Computed styles and pixels."""

    def open_all(self, address):
        """With the sheets that come later."""
        self.open(address)
        self.wait(lambda: self.all("#edits button"), "what is around the list")

    def test_no_rule_shouts_and_all_stand_in_layers(self):
        self.open_all("settings")
        self.cell("firstName").find_element("css selector", "button").click()
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

    def test_a_phone_fits_its_own_width_and_not_that_of_the_window(self):
        widths = {}
        for width in [390, 1024, 1440]:
            self.look(width=width)
            self.open("artist")
            widths[width] = self.js("return document.querySelector('#list .cover').getBoundingClientRect().width")
        # A window of 1,024 has room for two narrow phones.
        self.assertLess(widths[1024], widths[390])
        self.assertEqual(widths[1440], widths[390])

    def test_an_address_is_one_line_on_the_narrowest_phones(self):
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

    def test_the_tab_of_the_screen_that_is_shown_is_in_view(self):
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

    def test_the_way_back_is_one_line_in_the_bar(self):
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

    def test_what_is_wrong_with_a_parameter_has_the_colour_of_problems(self):
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

    def test_rows_that_leave_from_between_others_have_no_corners(self):
        self.open("settings")
        corners = self.run_module(f"""{STAGE}
            const stage = new Stage();
            stage.snapshot([section('a', ['1', '2', '3', '4'])]);
            stage.change({{ deleteCells: [[0, 1, 2]] }});
            return [...document.querySelectorAll('.ghosts > *')].map((node) => getComputedStyle(node).borderRadius);
        """)
        self.assertEqual(corners, ["0px", "0px"])

    def test_a_header_that_moves_casts_no_shadow(self):
        self.open("settings")
        shadows = self.run_module(f"""{STAGE}
            const stage = new Stage();
            const header = {{ header: {{ type: 'h', title: 'H' }} }};
            stage.snapshot([section('a', ['1'], header), section('b', ['2'], header)]);
            stage.change({{ moveSections: [[1, 0]] }});
            for (const animation of document.getAnimations()) {{ animation.pause(); animation.currentTime = 210; }}
            return ['.header', '.cell'].map((selector) => getComputedStyle(stage.root.querySelector(selector)).boxShadow);
        """)
        self.assertIn("rgba(0, 0, 0, 0)", shadows[0])
        self.assertNotIn("rgba(0, 0, 0, 0)", shadows[1])

    def test_who_wants_no_motion_sees_no_transition(self):
        self.look(motion="reduce")
        self.open_all("wifi")
        moving = self.js("""
            return [...document.querySelectorAll('*')].flatMap((node) => [undefined, '::before', '::after'].map((pseudo) => getComputedStyle(node, pseudo)))
              .filter(({ transitionDuration, animationName }) => transitionDuration !== '0s' || animationName !== 'none').length;
        """)
        self.assertEqual(moving, 0)


class ForcedColoursTest(BrowserTest):
    """What is drawn without words is still seen where a user has chosen the colours."""

    def force(self, theme):
        features = {"forced-colors": "active", "prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
        media = [{"name": name, "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})

    def luminances(self, selector, left=0, width=None):
        """Of the darkest and the lightest pixel of a node's middle, or of a part of it."""
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
        """Each differs from what is around it by as much as a sign has to."""
        contrasts = {selector: self.contrast(*self.luminances(selector, *part)) for selector, *part in signs}
        self.assertEqual({selector: contrast for selector, contrast in contrasts.items() if contrast < 3}, {})

    def test_signs_of_networks_and_of_the_inspector_are_seen(self):
        self.server.perform("wifi", "join", network="grange", password="12345678")
        for theme in ["light", "dark"]:
            with self.subTest(theme):
                self.force(theme)
                self.open("wifi")
                self.wait(lambda: self.all("#edits button"), "what is around the list")
                self.assert_seen(
                    ["#list .tick"], ["#list .lock", -4, 8], ["#list .bars"], ["#list .knob"], ["#list .bars i.on", -4, 8], ["#pause"], ["#older"],
                    ["#connection", 0, 9], ["#list .cell[data-type=network]:last-child .row", -32, 24], ["#list .act", -2, 6], ["#edits .edit", -2, 6],
                )

    def test_signs_around_lists_are_seen(self):
        self.look(width=390)
        self.force("light")
        self.open("mountains")
        self.assert_seen(["#query .search", 8, 24])
        self.open("deliveries")
        self.assert_seen(["#list .more"])
        self.open("posts")
        self.js("document.querySelector('#list .footer .row').click()")
        self.wait(lambda: self.one("#notice-close").is_displayed(), "changes that are out of sight")
        self.assert_seen(["#notice-close", 8, 28])

    def test_what_is_chosen_differs_from_what_is_not(self):
        self.look(width=390)
        self.force("light")
        self.open("settings")
        for chosen, other in [
            ("#panes [aria-pressed=true]", "#panes [aria-pressed=false]"), ("#screens [aria-current]", "#screens li:nth-child(2) a"),
            ("#locales :checked + span", "#locales :not(:checked) + span"),
        ]:
            grounds = [self.luminances(selector, 5, 2)[0] for selector in [chosen, other]]
            self.assertGreater(self.contrast(*sorted(grounds)), 3, chosen)
