"""Tests of a server with authentication."""

import subprocess

from driving.browser import BrowserTest
from driving.page import script
from selenium.webdriver.common.keys import Keys
from serving import Server, relist

CONTRAST = script("accessibility.js")


class SigningInTest(BrowserTest):
    """Tests of a user who signs in and out."""

    @classmethod
    def start_server(cls):
        return Server("--authentication", "development").start()

    def setUp(self):
        super().setUp()
        self.browser.get(f"http://127.0.0.1:{self.server.port}/#posts")
        self.wait_for_text("#account", "Sign in")

    def token(self, user):
        command = [relist(), "token", "--user", user, "--database", str(self.server.database)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def screens(self):
        return self.texts("#screens a")

    def sign_in(self, name):
        self.one("#account").click()
        self.wait(lambda: self.all("dialog[open] .choice"), "the users")
        next(choice for choice in self.all("dialog .choice") if name in choice.text).click()
        self.wait(lambda: name in self.text("#account"), "the name")

    def paste(self, text):
        self.one("#account").click()
        self.wait(lambda: self.all("dialog[open] textarea"), "the field for the token")
        self.one("dialog textarea").send_keys(text)
        self.one("dialog .done").click()

    def test_anonymous_callers_see_the_screens_for_everyone(self):
        self.assertEqual(self.screens(), ["Posts", "Mountains", "Artist"])

    def test_a_screen_for_users_asks_to_sign_in(self):
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{self.server.port}/#settings")
        self.wait_for_text("#notice-text", "Sign in to see this screen.")
        self.assertEqual(self.all('[data-id="email"]'), [])
        self.wait(lambda: self.all("#exchanges li"), "the inspector")
        self.one("#notice-act").click()
        self.wait(lambda: self.all("dialog[open] .choice"), "the users")
        self.all("dialog .choice")[1].click()
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.assertIn("bob", self.text("#account"))

    def block(self, *files):
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [f"*{file}" for file in files]})

    def open_without_account(self):
        """Opens a screen for everyone while the sign-in cannot be loaded."""
        self.expects_failed_requests = True
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.addCleanup(self.block)
        self.block("account.js", "surroundings.js")
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{self.server.port}/#mountains")
        self.wait(lambda: self.all("#list .cell"), "the mountains")

    def test_a_sign_in_that_could_not_be_loaded_is_loaded_when_it_is_needed(self):
        self.open_without_account()
        self.js("location.hash = '#settings'")
        self.wait_for_text("#notice-text", "Sign in to see this screen.")
        self.one("#notice-act").click()
        self.wait_for_text("#notice-text", "Can’t reach the server.")
        self.block()
        self.one("#notice-act").click()
        self.one("dialog[open] .choice")
        self.assertEqual(self.text("#account"), "Sign in")

    def test_a_sign_in_that_could_not_be_loaded_is_loaded_with_the_next_screen(self):
        self.open_without_account()
        self.assertFalse(self.one("#account").is_displayed())
        self.block()
        self.js("location.hash = '#artist'")
        self.wait_for_text("#account", "Sign in")

    def test_pasting_a_token_signs_the_user_in(self):
        self.paste("nonsense")
        self.wait_for_text("dialog .error", "This is not a token with a user.")
        field = self.one("dialog textarea")
        self.assertTrue(self.js("return document.activeElement === arguments[0]", field))
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        hint, error = field.get_attribute("aria-describedby").split()
        self.assertIn("development authentication", self.text(f"#{hint}"))
        self.assertEqual(self.text(f"#{error}"), "This is not a token with a user.")
        self.one("dialog .cancel").click()
        self.paste(self.token("carol"))
        self.wait(lambda: "carol" in self.text("#account"), "the name")
        self.wait(lambda: len(self.screens()) == 6, "all screens")

    def test_a_rejected_token_reopens_the_dialog(self):
        self.expects_failed_requests = True
        self.paste(self.token("carol")[:-6] + "AAAAAA")
        self.wait(lambda: self.text("dialog[open] .hint") == "The server rejected this token.", "the hint")
        self.assertEqual(self.text("#account"), "Sign in")
        self.all("dialog .choice")[0].click()
        self.wait(lambda: len(self.screens()) == 6, "all screens")

    def test_a_token_is_kept_in_memory_only_and_discarded_on_sign_out(self):
        self.sign_in("alice")
        self.wait(lambda: len(self.screens()) == 6, "all screens")
        kept = self.js("return [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href, "
                       "JSON.stringify(history.state), document.documentElement.outerHTML].join()")
        self.assertNotIn("eyJ", kept)
        self.one("#account").click()
        self.wait(lambda: self.all("#account") and self.text("#account") == "Sign in", "the sign-out")
        self.wait(lambda: self.screens() == ["Posts", "Mountains", "Artist"], "the screens for everyone")
        self.wait(lambda: self.js("return document.activeElement.id") == "account", "the focus on the button to sign in")
        self.assertEqual(self.js("return sessionStorage.length"), 0)

    def test_the_name_of_the_user_covers_nothing_and_a_long_name_is_shortened(self):
        for width in [320, 1280]:
            for locale in ["en", "fr"]:
                with self.subTest(width, locale=locale):
                    self.look(width=width, height=700)
                    self.js("location.hash = arguments[0]", f"#posts?locale={locale}")
                    self.wait_for_text("#account", "Sign in" if locale == "en" else "Se connecter")
                    self.sign_in("alice")
                    self.js("document.querySelector('#account .user').textContent = 'a.very.long.name.of.a.user@example.com'")
                    self.wait(lambda: self.all("link[href$='later.css']"), "the style")
                    overlaps, verb = self.js("""
                        const parts = ['.brand', '#account', '#locales', '#navigation'];
                        const rects = parts.map((part) => document.querySelector(part).getBoundingClientRect());
                        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                        const verb = document.querySelector('#account > :last-child');
                        const [inner, outer] = [verb, document.getElementById('account')].map((one) => one.getBoundingClientRect());
                        return [rects.some((a, index) => rects.slice(index + 1).some((b) => meet(a, b))),
                          inner.left >= outer.left && inner.right <= outer.right && outer.right <= innerWidth];
                    """)
                    self.assertEqual((overlaps, verb), (False, True))
                    self.one("#account").click()
                    self.wait(lambda: self.all("#account") and not self.all("#account .user"), "the sign-out")

    def open_settings_until_the_token_is_invalid(self):
        self.expects_failed_requests = True
        self.sign_in("alice")
        self.js("location.hash = '#settings'")
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.server.stop()
        # Tokens that were signed with the previous key are invalid.
        (self.server.database.parent / f"{self.server.database.name}.development-key").unlink()
        self.server.start()
        self.wait_for_text("#notice-text", "Sign in to see this screen.")

    def test_a_user_must_sign_in_again_when_the_token_becomes_invalid(self):
        self.open_settings_until_the_token_is_invalid()
        self.assertEqual(self.all('[data-id="email"]'), [])
        self.assertEqual(self.text("#account"), "Sign in")
        self.wait(lambda: self.all("dialog[open] .choice"), "the users")
        self.assertEqual(self.text("dialog .hint"), "The server rejected this token.")
        self.all("dialog .choice")[0].click()
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")

    def test_another_user_who_signs_in_after_an_expiry_is_signed_in_on_a_new_page(self):
        self.open_settings_until_the_token_is_invalid()
        self.js("window.isFirstPage = true")
        self.wait(lambda: self.all("dialog[open] .choice"), "the users")
        next(choice for choice in self.all("dialog .choice") if "bob" in choice.text).click()
        self.wait(lambda: self.all("#account") and "bob" in self.text("#account"), "the name")
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.assertFalse(self.js("return window.isFirstPage === true"))
        self.assertEqual(self.js("return sessionStorage.length"), 0)

    def test_the_dialog_to_sign_in_is_accessible(self):
        for theme in ["light", "dark"]:
            self.look(theme=theme)
            self.one("#account").click()
            self.wait(lambda: self.all("dialog[open] .choice"), "the users")
            found = self.wait(lambda: self.js(f"{CONTRAST} return isAtRest() ? [faults()] : [];"), "the animations to end")
            self.assertEqual(found, [[]])
            small = self.js("return [...document.querySelectorAll('dialog button, dialog textarea')]"
                            ".map((node) => node.getBoundingClientRect()).filter(({ height }) => height < 44).length")
            self.assertEqual(small, 0)
            self.one("dialog textarea").send_keys(Keys.ESCAPE)
            self.wait(lambda: not self.all("dialog[open]"), "the dialog to close")
            self.assertEqual(self.js("return document.activeElement.id"), "account")

    def test_the_texts_about_signing_in_are_translated(self):
        self.js("location.hash = '#settings?locale=fr'")
        self.wait_for_text("#account", "Se connecter")
        self.wait_for_text("#notice-text", "Connectez-vous pour voir cet écran.")


class NoAuthenticationTest(BrowserTest):
    """Tests of a server without authentication."""

    def test_a_page_of_a_server_without_authentication_has_no_button_to_sign_in(self):
        self.open("settings")
        self.assertFalse(self.one("#account").is_displayed())
