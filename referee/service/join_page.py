"""The one small page that a visitor from elsewhere sees before joining: whole in itself, in English or French."""

from __future__ import annotations

import html
from string import Template

WORDS = {
    "en": {
        "title": "Join the referee",
        "label": "Join code",
        "help": "It stands on the laptop that runs the referee. Or scan the QR code there.",
        "button": "Join",
        "welcome": "",
        "ask": "",
        "wrong": "That is not the code. Look at the laptop and try again.",
        "wait": "Too many wrong codes. Try again in $wait seconds, or scan the QR code.",
    },
    "fr": {
        "title": "Rejoindre l’arbitre",
        "label": "Code d’entrée",
        "help": "Il est affiché sur l’ordinateur de l’arbitre. Ou scannez le code QR affiché là.",
        "button": "Entrer",
        "welcome": "",
        "ask": "",
        "wrong": "Ce n’est pas le bon code. Regardez l’ordinateur et réessayez.",
        "wait": "Trop de codes faux. Réessayez dans $wait secondes, ou scannez le code QR.",
    },
}
"""The page's words; ``welcome`` (at its own address), ``ask`` (in another page's place), ``wrong`` and
``wait`` are what it says above the field."""

REFUSALS = {
    "en": {
        "foreign-host": (
            "This page does not go by the name that was asked for.",
            "Open it by its address, as the referee's machine shows it.",
        ),
        "cross-site": (
            "This was sent from another site's page.",
            "Open the referee's own page and send it from there.",
        ),
        "not-joined": ("The join code is missing.", "Open the page's address in a browser and give the code there."),
        "this-machine-only": (
            "This page is open to its own machine only.",
            "Start it with --host to open it to the home network.",
        ),
    },
    "fr": {
        "foreign-host": (
            "Cette page ne répond pas au nom demandé.",
            "Ouvrez-la par son adresse, telle que l’ordinateur de l’arbitre l’affiche.",
        ),
        "cross-site": ("L’envoi vient de la page d’un autre site.", "Ouvrez la page de l’arbitre et envoyez de là."),
        "not-joined": ("Il manque le code d’entrée.", "Ouvrez l’adresse dans un navigateur et donnez-y le code."),
        "this-machine-only": (
            "Cette page n’est ouverte qu’à son propre ordinateur.",
            "Lancez-la avec --host pour l’ouvrir au réseau de la maison.",
        ),
    },
}
"""Why a request is not let through → what happened, and what to do."""

REFUSAL_PAGE = Template("""<!doctype html>
<html lang="$lang">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$message</title>
<h1>$message</h1>
<p>$hint</p>
</html>
""")


def refusal_page(lang: str, code: str) -> str:
    """A refusal as a plain page."""
    message, hint = REFUSALS[lang][code]
    return REFUSAL_PAGE.substitute(lang=lang, message=html.escape(message), hint=html.escape(hint))


PAGE = Template("""<!doctype html>
<html lang="$lang">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style nonce="$nonce">
:root { color-scheme: light dark; --ink: #14202b; --paper: #fbfaf7; --line: #5c6b78; --go: #0b5d8f; --word: #a3260f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef2f5; --paper: #12181e; --line: #9fb0be; --go: #8fd0ff; --word: #ffb4a2 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 28rem; padding: 2rem 1.25rem; color: var(--ink); background: var(--paper);
  font: 1.25rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.8rem; line-height: 1.2 }
label { display: block; font-weight: 600 }
input { width: 100%; margin: .4rem 0; padding: .6rem; font: inherit; font-size: 2.2rem; letter-spacing: .12em;
  text-align: center; color: inherit; background: transparent; border: 2px solid var(--line); border-radius: .5rem }
button { width: 100%; margin-top: 1rem; padding: .8rem; font: inherit; font-size: 1.5rem; font-weight: 600;
  color: var(--paper); background: var(--go); border: 0; border-radius: .5rem }
:focus-visible { outline: 4px solid var(--go); outline-offset: 3px }
#word { color: var(--word); font-weight: 600 }
</style>
<main>
<h1>$title</h1>
$word
<form method="post" action="/join">
<label for="code">$label</label>
<input id="code" name="code" inputmode="$keys" autocomplete="off" autocapitalize="none" spellcheck="false"
  maxlength="64" required aria-describedby="help$describes">
<input type="hidden" name="next" value="$onward">
<p id="help">$help</p>
<button>$button</button>
</form>
</main>
<script nonce="$nonce">
const ticket = location.hash.slice(1)
if (ticket) {
  history.replaceState(null, "", location.pathname + location.search)
  document.getElementById("code").value = ticket
  document.forms[0].submit()
}
</script>
</html>
""")


def join_page(lang: str, what: str, onward: str, nonce: str, wait: str = "", keys: str = "numeric") -> str:
    """The page as HTML.  ``what`` is one of its words; ``onward`` is where the visitor wanted to go.

    The ticket of a QR code stands in the address's fragment, which no server and no log ever sees; the page takes it
    out of the address and sends it like a code that was typed.
    """
    words = WORDS[lang]
    said = Template(words[what]).substitute(wait=wait)
    return PAGE.substitute(
        {name: html.escape(word) for name, word in words.items()},
        lang=lang,
        nonce=nonce,
        keys=keys,
        onward=html.escape(onward),
        word=f'<p id="word" role="alert">{html.escape(said)}</p>' if said else "",
        describes=" word" if said else "",
    )
