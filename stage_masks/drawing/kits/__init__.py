"""One kit of scenery for each theme."""

from . import city, mushroom, night, park, sewer, sky, storm

KITS = {
    "park": park.KIT,
    "city": city.KIT,
    "sky": sky.KIT,
    "sewer": sewer.KIT,
    "mushroom wood": mushroom.KIT,
    "storm": storm.KIT,
    "night finale": night.KIT,
}
