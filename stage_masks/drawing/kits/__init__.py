"""One kit of scenery for each theme."""

from . import city, park, sewer, sky

KITS = {"park": park.KIT, "city": city.KIT, "sky": sky.KIT, "sewer": sewer.KIT}
