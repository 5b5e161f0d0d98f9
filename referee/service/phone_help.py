"""Words for people with a phone in their hand: why the camera is refused, and what the warning of a certificate means.

Two snippets of HTML for any page.  Each holds all its words; ``static/camera_reason.js`` shows the one that fits.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from string import Template

REASONS = ("insecure", "unsupported", "denied", "missing", "busy", "unknown")
"""Why there is no live camera, as `camera_reason.js` finds out."""

CAMERA: Mapping[str, Mapping[str, str]] = {
    "en": {
        "insecure": "This page came over plain http, and browsers give the live camera to https pages only. "
        "Start the referee with --host --https on the laptop, then scan its QR code again.",
        "unsupported": "This browser gives pages no camera. Open the page in Safari, Chrome or Firefox.",
        "denied": "The browser keeps the camera from this page. Tap the sign beside the address, allow the camera, "
        "then load the page again.",
        "missing": "No camera was found on this device.",
        "busy": "Something else is using the camera. Close it, then try again.",
        "unknown": "The camera did not start. Load the page again.",
        "way_on": "You can go on without it: take a photo with the phone’s own camera.",
        "take": "Take a photo",
    },
    "fr": {
        "insecure": "Cette page est venue par simple http, et les navigateurs ne donnent la caméra en direct qu’aux "
        "pages https. Sur l’ordinateur, lancez l’arbitre avec --host --https, puis scannez de nouveau son code QR.",
        "unsupported": "Ce navigateur ne donne pas de caméra aux pages. Ouvrez la page dans Safari, Chrome ou Firefox.",
        "denied": "Le navigateur refuse la caméra à cette page. Touchez le signe à côté de l’adresse, autorisez la "
        "caméra, puis rechargez la page.",
        "missing": "Aucune caméra n’a été trouvée sur cet appareil.",
        "busy": "La caméra est prise par autre chose. Fermez-le, puis réessayez.",
        "unknown": "La caméra n’a pas démarré. Rechargez la page.",
        "way_on": "Vous pouvez continuer sans elle : prenez une photo avec l’appareil photo du téléphone.",
        "take": "Prendre une photo",
    },
}

CERTIFICATE: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "The phone warns once",
        "why": "The page vouches for itself, so the phone does not know it yet. What you send stays encrypted.",
        "iphone": "iPhone: tap Show Details, then “visit this website”.",
        "android": "Android: tap Advanced, then “Proceed”.",
        "firefox": "Firefox: tap Advanced, then “Accept the Risk and Continue”.",
        "sure": "To be sure that it is this page, compare the certificate’s SHA-256 fingerprint:",
    },
    "fr": {
        "title": "Le téléphone avertit une fois",
        "why": "La page se porte garante d’elle-même : le téléphone ne la connaît pas encore. Vos envois restent "
        "chiffrés.",
        "iphone": "iPhone : touchez « Afficher les détails », puis « visiter ce site web ».",
        "android": "Android : touchez « Paramètres avancés », puis « Continuer ».",
        "firefox": "Firefox : touchez « Avancé », puis « Accepter le risque et poursuivre ».",
        "sure": "Pour être sûr que c’est bien cette page, comparez l’empreinte SHA-256 du certificat :",
    },
}

CAMERA_HELP = Template("""<section class="camera-help" data-camera-help hidden>
<div role="status">
$reasons
</div>
<p>$way_on</p>
<label class="button">$take <input type="file" name="picture" accept="image/*" capture="environment"></label>
</section>
""")

CERTIFICATE_HELP = Template("""<section class="certificate-help">
<h2>$title</h2>
<p>$why</p>
<ul><li>$iphone</li><li>$android</li><li>$firefox</li></ul>
<p>$sure <code>$fingerprint</code></p>
</section>
""")


def camera_help(language: str) -> str:
    """What to show where the live camera is refused: hidden until `camera_reason.js` knows why, with a file picker that
    opens the phone's own camera as the way on."""
    words = {name: html.escape(word) for name, word in CAMERA[language].items()}
    reasons = "\n".join(f'<p data-reason="{reason}" hidden>{words[reason]}</p>' for reason in REASONS)
    return CAMERA_HELP.substitute(reasons=reasons, way_on=words["way_on"], take=words["take"])


def certificate_help(language: str, fingerprint: str) -> str:
    """What to expect when a phone meets the page over https for the first time."""
    words = {name: html.escape(word) for name, word in CERTIFICATE[language].items()}
    return CERTIFICATE_HELP.substitute(words, fingerprint=html.escape(fingerprint))
