"""The place of a birth: names, loose coordinates, zones and JSON → `Place`, each value checked."""

from __future__ import annotations

from datetime import tzinfo

from bazi_core.errors import (
    BaziError,
    InvalidCoordinates,
    PlaceAmbiguous,
    UnknownOption,
    ZoneRequired,
    known,
    shown,
    unknown_option,
)
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.place.zones import canonical_key, keys
from bazi_core.tables.sentences import Said
from bazi_core.when import LONGEST_TEXT, When


def place_of(
    city: str | None,
    place: Place | str | None,
    longitude: float | None,
    latitude: float | None,
    tz: str | tzinfo | None,
    utc_offset: object,
    read: When,
) -> tuple[Place | None, bool]:
    """The place, and whether its zone was inferred from its coordinates."""
    if longitude is None and latitude is not None:
        raise _invalid_coordinates("longitude", None, "a longitude beside the latitude")
    if longitude is not None:
        named = place if place is not None else city
        label = named.name if isinstance(named, Place) else label_of(named)
        clock = tz is not None or read.utc_offset_s is not None
        known = None if clock else _zone_of_name(named)
        return _user_place(label, longitude, latitude, known, clock or utc_offset is not None)
    if isinstance(place, Place):
        return _checked(place), False
    name = place if place is not None else city
    if name is None:
        return None, False
    if not isinstance(name, str):
        raise UnknownOption(
            Said("city_no_name", value=shown(name)),
            hint=Said("city_give_name"),
            name="city",
            value=shown(name),
            allowed=[Said("a_place_name")],
        )
    return look_up(name), False


def _checked(place: Place) -> Place:
    """A place given by the caller, with coordinates and zone checked like loose arguments."""
    return place._replace(
        longitude=None if place.longitude is None else _coordinate("longitude", place.longitude, 180),
        latitude=None if place.latitude is None else _coordinate("latitude", place.latitude, 90),
        timezone_id=zone_key(place.timezone_id),
        alt_timezone_id=zone_key(place.alt_timezone_id),
    )


def _zone_of_name(named: object) -> str | None:
    """The zone of a place whose coordinates are stated beside its name; None for a name that is only a label."""
    if isinstance(named, Place):
        return zone_key(named.timezone_id)
    if not isinstance(named, str):
        return None
    try:
        return look_up(named).timezone_id
    except PlaceAmbiguous as several:
        zones = {each["timezone_id"] for each in several.data["candidates"]}
        return zones.pop() if len(zones) == 1 else None
    except BaziError:
        return None


def _user_place(
    label: str | None, longitude: float, latitude: float | None, known: str | None, has_clock: bool
) -> tuple[Place, bool]:
    lon = _coordinate("longitude", longitude, 180)
    lat = None if latitude is None else _coordinate("latitude", latitude, 90)
    key = None if known or has_clock else _zone_of_point(lon, lat)
    return Place(name=label, longitude=lon, latitude=lat, timezone_id=known or key), key is not None


def _zone_of_point(longitude: float, latitude: float | None) -> str | None:
    if latitude is None:
        raise zone_required()
    try:
        import tzfpy
    except ImportError:
        raise zone_required() from None
    return canonical_key(tzfpy.get_tz(longitude, latitude))


def zone_required() -> ZoneRequired:
    return ZoneRequired(
        Said("zone_required"),
        hint=Said("zone_required_hint"),
        accepted=["city", "place", "longitude + tz", "tz", "utc_offset"],
    )


def _coordinate(field: str, value: object, limit: int) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _invalid_coordinates(field, value, "degrees")
    # NaN fails the comparison too; an integer too large for a float is compared as it is.
    if not -limit <= value <= limit:
        raise _invalid_coordinates(field, value, f"{-limit}…{limit} degrees")
    return float(value)


def _invalid_coordinates(field: str, value: object, accepted: str) -> InvalidCoordinates:
    return InvalidCoordinates(
        Said("coordinates_outside", field=field, value=shown(value), accepted=accepted),
        field=field,
        value=shown(value),
        accepted=accepted,
    )


def zone_key(key: object) -> str | None:
    # A ZoneInfo is its key when printed.
    return None if key is None else canonical_key(shown(key, LONGEST_TEXT))


def kept_zone(key: object) -> str | None:
    """The zone of a JSON form: a canonical key as it is, else read like an argument."""
    return key if isinstance(key, str) and key in keys() else zone_key(key)


def place_from_dict(stated: object) -> Place:
    if not isinstance(stated, dict):
        raise unknown_option("place", shown(stated), (Said("an_object"),))
    lon, lat = stated.get("longitude"), stated.get("latitude")
    return Place(
        name=label_of(stated.get("name")),
        ref=label_of(stated.get("ref")),
        country=label_of(stated.get("country")),
        admin=label_of(stated.get("admin")),
        longitude=None if lon is None else _coordinate("longitude", lon, 180),
        latitude=None if lat is None else _coordinate("latitude", lat, 90),
        timezone_id=zone_key(stated.get("timezone_id")),
        alt_timezone_id=zone_key(stated.get("alt_timezone_id")),
        source=known("source", stated.get("source", "user"), ("user", "geonames", "adcode")),
    )


def label_of(text: object) -> str | None:
    return None if text is None else shown(text, LONGEST_TEXT).rstrip("…")
