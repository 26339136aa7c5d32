"""A page whose server wants to know who asks."""

import subprocess

from driving.browser import BrowserTest
from driving.page import script
from selenium.webdriver.common.keys import Keys
from serving import Server, relist

CONTRAST = script("accessibility.js")


class SigningInTest(BrowserTest):
    """Somebody says who it is, sees what is theirs, and nothing of it stays."""

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
        self.wait(lambda: self.all("dialog[open] .choice"), "who one can be")
        next(choice for choice in self.all("dialog .choice") if name in choice.text).click()
        self.wait(lambda: name in self.text("#account"), "the name")

    def paste(self, text):
        self.one("#account").click()
        self.wait(lambda: self.all("dialog[open] textarea"), "where to paste")
        self.one("dialog textarea").send_keys(text)
        self.one("dialog .done").click()

    def test_nobody_known_sees_what_is_for_everyone(self):
        self.assertEqual(self.screens(), ["Posts", "Mountains", "Artist"])

    def test_a_user_of_development_sees_what_is_theirs(self):
        self.sign_in("alice")
        self.wait(lambda: len(self.screens()) == 6, "all screens")
        self.js("location.hash = '#settings'")
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.wait_for_state("live")

    def test_a_screen_for_users_asks_who_it_is_and_is_shown_then(self):
        self.js("location.hash = '#settings'")
        self.wait_for_text("#notice-text", "This is for users: say who you are.")
        self.assertEqual(self.all('[data-id="email"]'), [])
        self.one("#notice-act").click()
        self.wait(lambda: self.all("dialog[open] .choice"), "who one can be")
        self.all("dialog .choice")[1].click()
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.assertIn("bob", self.text("#account"))

    def test_a_token_that_is_pasted_says_who_it_is(self):
        self.paste("nonsense")
        self.wait_for_text("dialog .error", "This is no token that says who it is for.")
        self.one("dialog .cancel").click()
        self.paste(self.token("carol"))
        self.wait(lambda: "carol" in self.text("#account"), "the name")
        self.wait(lambda: len(self.screens()) == 6, "all screens")

    def test_a_token_that_the_server_does_not_take_is_asked_for_again(self):
        self.expects_failed_requests = True
        self.paste(self.token("carol")[:-6] + "AAAAAA")
        self.wait(lambda: self.text("dialog[open] .hint") == "The server did not take that token.", "what is wrong")
        self.assertEqual(self.text("#account"), "Sign in")
        self.all("dialog .choice")[0].click()
        self.wait(lambda: len(self.screens()) == 6, "all screens")

    def test_a_token_is_nowhere_but_in_memory_and_goes_with_who_signs_out(self):
        self.sign_in("alice")
        self.wait(lambda: len(self.screens()) == 6, "all screens")
        kept = self.js("return [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href, "
                       "JSON.stringify(history.state), document.documentElement.outerHTML].join()")
        self.assertNotIn("eyJ", kept)
        self.one("#account").click()
        self.wait(lambda: self.all("#account") and self.text("#account") == "Sign in", "nobody")
        self.wait(lambda: self.screens() == ["Posts", "Mountains", "Artist"], "what is for everyone")

    def test_who_is_not_known_any_more_is_shown_nothing_and_asked_again(self):
        self.expects_failed_requests = True
        self.sign_in("alice")
        self.js("location.hash = '#settings'")
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")
        self.server.stop()
        # With another key no token of before is good.
        (self.server.database.parent / f"{self.server.database.name}.development-key").unlink()
        self.server.start()
        self.wait_for_text("#notice-text", "This is for users: say who you are.")
        self.assertEqual(self.all('[data-id="email"]'), [])
        self.assertEqual(self.text("#account"), "Sign in")
        self.wait(lambda: self.all("dialog[open] .choice"), "who one can be")
        self.assertEqual(self.text("dialog .hint"), "The server did not take that token.")
        self.all("dialog .choice")[0].click()
        self.wait(lambda: self.all('[data-id="email"]'), "the settings")

    def test_everybody_can_read_what_asks_and_leave_it_by_a_key(self):
        for theme in ["light", "dark"]:
            self.look(theme=theme)
            self.one("#account").click()
            self.wait(lambda: self.all("dialog[open] .choice"), "who one can be")
            found = self.wait(lambda: self.js(f"{CONTRAST} return isStill() ? [faults()] : [];"), "the page to be still")
            self.assertEqual(found, [[]])
            small = self.js("return [...document.querySelectorAll('dialog button, dialog textarea')]"
                            ".map((node) => node.getBoundingClientRect()).filter(({ height }) => height < 44).length")
            self.assertEqual(small, 0)
            self.one("dialog textarea").send_keys(Keys.ESCAPE)
            self.wait(lambda: not self.all("dialog[open]"), "the dialog to close")
            self.assertEqual(self.js("return document.activeElement.id"), "account")

    def test_in_french_it_is_asked_in_french(self):
        self.js("location.hash = '#settings?locale=fr'")
        self.wait_for_text("#account", "Se connecter")
        self.wait_for_text("#notice-text", "C’est pour les utilisateurs : dites qui vous êtes.")


class DemoTest(BrowserTest):
    """Where everyone is one user, nobody is asked."""

    def test_there_is_nothing_to_sign_in_with(self):
        self.open("settings")
        self.assertFalse(self.one("#account").is_displayed())
