"""School: all choices on which practitioners and books disagree, as one frozen value.

A chart stores its School and repeats it in its JSON, so two schools can be computed side by side, in
threads, without a global switch. `OPTIONS` lists the allowed values, the default first; `PROFILES` are
named sets of options. A new choice is one more row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from bazi_core.errors import UnknownOption, UnknownProfile, shown, unknown_option
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said

OPTIONS: dict[str, tuple[str, ...]] = {
    # Which clock decides the day and the hour pillar. Not chosen: true solar time where the longitude is
    # known, else the civil clock.
    "time_basis": ("true_solar", "mean_solar", "civil"),
    "day_boundary": ("23:00", "00:00"),
    "late_zi_hour_stem": ("next_day", "same_day"),
    "year_boundary": ("lichun", "lunar_new_year"),
    "future_utc": ("utc_frozen", "ut1_model"),
    "clock": ("auto", "beijing", "xinjiang"),
    # Korea's lunar calendar differs from China's by a day in one month of thirty: Korea's for a birth there.
    "lunar_calendar": ("by_place", "chinese", "korean"),
    "hidden_weights": ("60_30_10", "siling_days", "8pt"),
    "siling_table": ("common_30", "china_testing"),
    "earth_season": ("four_months", "last_18_days"),
    # The element of 午未: 六合 of the textbooks make earth.
    "wuwei_element": ("土", "火"),
    "anhe": ("three_pairs", "six_pairs"),
    "twelve_stages": ("yang_shun_yin_ni", "yin_yang_tong_sheng", "water_earth_same"),
    "ming_month": ("jie", "zhongqi"),
    "void_anchor": ("day", "year", "both"),
    "star_set": ("core_24", "full", "saju_kr", "none"),
    "star_anchor": ("per_star", "day_only"),
    # 十二神煞 by the anchors of each star, or as one cycle that gives every pillar one of the twelve.
    "cycle_anchor": ("per_star", "year", "day"),
    "luck_start": (
        "exact_seconds",
        "minutes_floor",
        "minutes_hours",
        "minutes_hours_clamp",
        "shichen",
        "shichen_clamp",
        "linear_tropical",
    ),
    "luck_direction": ("classic", "male_forward"),
    "xiaoyun": ("hour_pillar", "none"),
    "liunian_boundary": ("lichun", "lunar_new_year"),
    "age_style": ("full", "nominal"),
    "strength_method": ("weighted_v1", "majority_3", "plain_count_month2", "root_units", "month_command"),
    "ge_hidden_main": ("keep_main", "take_transparent"),
    "yin_ren": ("no", "yes"),
    # Whether a chart may follow or dominate (从格, 专旺, 化格), or is always read by its month.
    "special_structures": ("claimed", "ignored"),
    "judgement": ("full", "facts"),
    "liuyue_detail": ("summary", "full"),
    "validate": ("strict", "warn"),
}

# Weights of the methods of finding the useful god; few numbers, set by hand (docs/strength-and-useful-gods.md).
YONG_WEIGHTS: dict[str, float] = {
    "fu_yi": 1.0,
    "ge_ju": 0.5,
    "tiao_hou_cold": 0.7,
    "tiao_hou_hot": 0.5,
    "tiao_hou_table": 0.3,
    "tong_guan": 0.5,
    "presence": 1.0,
    "bing_yao": 0.5,
}

PROFILES: dict[str, dict[str, Any]] = {
    # 子平真诠 for patterns, 滴天髓 for strength, 穷通宝鉴 for climate.
    "ziping": {},
    # 滴天髓: 阴阳同生同死; neither patterns nor the climate table.
    "ditiansui": {
        "twelve_stages": "yin_yang_tong_sheng",
        "yong_weights": {"ge_ju": 0.0, "tiao_hou_table": 0.0},
    },
    # 穷通宝鉴: climate first.
    "qiongtong": {
        "yong_weights": {
            "fu_yi": 0.5,
            "ge_ju": 0.3,
            "tiao_hou_cold": 1.0,
            "tiao_hou_hot": 1.0,
            "tiao_hou_table": 1.0,
        },
    },
    # Korean practice: its stars, its lunar calendar, 十二神煞 counted from the branch of the year.
    "saju_kr": {"star_set": "saju_kr", "cycle_anchor": "year", "lunar_calendar": "korean"},
    # No judgement: neither strength nor pattern nor useful god.
    "facts_only": {"judgement": "facts"},
}


_KOREA = ("KR", "KP")
_KOREAN_ZONES = ("Asia/Seoul", "Asia/Pyongyang")


@dataclass(frozen=True, slots=True)
class School:
    """A set of choices.

    >>> School(day_boundary="00:00").day_boundary
    '00:00'
    >>> School(day_boundary="midnight")
    Traceback (most recent call last):
    bazi_core.errors.UnknownOption: day_boundary='midnight': choose 23:00 or 00:00
    """

    time_basis: str | None = None
    day_boundary: str = "23:00"
    late_zi_hour_stem: str = "next_day"
    year_boundary: str = "lichun"
    future_utc: str = "utc_frozen"
    clock: str = "auto"
    lunar_calendar: str = "by_place"
    boundary_window_s: int = 120
    hidden_weights: str = "60_30_10"
    siling_table: str = "common_30"
    earth_season: str = "four_months"
    wuwei_element: str = "土"
    anhe: str = "three_pairs"
    twelve_stages: str = "yang_shun_yin_ni"
    ming_month: str = "jie"
    void_anchor: str = "day"
    star_set: str = "core_24"
    star_anchor: str = "per_star"
    cycle_anchor: str = "per_star"
    star_variants: Mapping[str, str] | tuple[tuple[str, str], ...] = ()
    luck_start: str = "exact_seconds"
    luck_direction: str = "classic"
    xiaoyun: str = "hour_pillar"
    liunian_boundary: str = "lichun"
    age_style: str = "full"
    strength_method: str = "weighted_v1"
    ge_hidden_main: str = "keep_main"
    yin_ren: str = "no"
    special_structures: str = "claimed"
    yong_weights: Mapping[str, float] | tuple[tuple[str, float], ...] = ()
    judgement: str = "full"
    liuyue_detail: str = "summary"
    validate: str = "strict"
    profile: str = "ziping"

    def __post_init__(self) -> None:
        for name, allowed in OPTIONS.items():
            value = getattr(self, name)
            known = isinstance(value, str) and value in allowed
            if not known and not (name == "time_basis" and value is None):
                raise _unknown_value(name, value, allowed)
        object.__setattr__(self, "yong_weights", _weights(self.yong_weights))
        object.__setattr__(self, "star_variants", _variants(self.star_variants))
        window = self.boundary_window_s
        if type(window) is not int or not 0 <= window <= 86400:
            raise _unknown_value("boundary_window_s", window, (Said("seconds_between", least=0, most=86400),))
        if not isinstance(self.profile, str) or self.profile not in PROFILES:
            raise _unknown_profile(self.profile)

    @classmethod
    def named(cls, profile: str, **options: Any) -> School:
        """The options of a profile, with any of them overridden.

        >>> School.named("ditiansui", day_boundary="00:00").twelve_stages
        'yin_yang_tong_sheng'
        """
        if not isinstance(profile, str) or profile not in PROFILES:
            raise _unknown_profile(profile)
        preset = PROFILES[profile]
        if preset.get("yong_weights") and isinstance(options.get("yong_weights"), Mapping):
            options["yong_weights"] = {**preset["yong_weights"], **options["yong_weights"]}
        return cls.of({**preset, **options, "profile": profile})

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> School:
        """The School of a map of options; missing ones take their defaults, an unknown name is refused.

        >>> School.of({"day_boundary": "00:00"}).day_boundary
        '00:00'
        >>> School.of("saju_kr")
        Traceback (most recent call last):
        bazi_core.errors.UnknownOption: 'saju_kr' is no map of options
        """
        if not isinstance(options, Mapping):
            raise UnknownOption(
                Said("school_no_map", given=shown(options)),
                hint=Said("school_map_or_profile"),
                name="school",
                value=shown(options),
                allowed=["a map of options"],
            )
        names = {field.name for field in fields(cls)}
        for name in options:
            if name not in names:
                raise UnknownOption(
                    Said("option_unknown", name=shown(name)),
                    hint=Said("option_unknown_hint", allowed=Listed(sorted(names))),
                    name=shown(name),
                    value=shown(options[name]),
                    allowed=sorted(names),
                )
        return cls(**options)

    def with_options(self, **options: Any) -> School:
        """The School with other values of some options."""
        return replace(self, **options)

    def with_basis(self, time_basis: str) -> School:
        """The School with the clock actually used as its `time_basis`."""
        return self if self.time_basis == time_basis else _with_basis(self, time_basis)

    def at(self, country: str | None, timezone_id: str | None) -> School:
        """The School with Korea's lunar calendar if the place uses it.

        >>> School().at("KR", None).lunar_calendar, School().at("CN", "Asia/Shanghai").lunar_calendar
        ('korean', 'by_place')
        """
        if self.lunar_calendar != "by_place" or not (country in _KOREA or timezone_id in _KOREAN_ZONES):
            return self
        return _with_lunar_calendar(self, "korean")

    @property
    def lunar_months(self) -> str:
        """The lunar calendar of the School: `chinese` or `korean`."""
        return "korean" if self.lunar_calendar == "korean" else "chinese"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: `{profile, options}`, every option present."""
        options = dict(zip(_NAMES, _values_of(self), strict=True))
        options["star_variants"] = dict(self.star_variants)
        options["yong_weights"] = dict(self.yong_weights)
        options["time_basis"] = self.time_basis or OPTIONS["time_basis"][0]
        return {"profile": options.pop("profile"), "options": options}

    @classmethod
    def from_dict(cls, school: dict[str, Any]) -> School:
        """The School of its JSON form."""
        options = school.get("options", {}) if isinstance(school, dict) else None
        if (
            not isinstance(options, dict)
            or "profile" in options
            or not all(isinstance(option, str) for option in options)
        ):
            raise _unknown_value("school", school, (Said("object_school"),))
        return cls.named(school.get("profile", "ziping"), **options)


def school_of(given: School | None) -> School:
    """The School of an argument: the default one for None; anything but a School is refused."""
    if given is None:
        return DEFAULT
    if not isinstance(given, School):
        raise UnknownOption(
            Said("school_no_school", given=shown(given)),
            hint=Said("school_profile", given=shown(given)) if isinstance(given, str) else "",
            name="school",
            value=shown(given),
            allowed=[Said("a_school")],
        )
    return given


@lru_cache(maxsize=256)
def _with_lunar_calendar(school: School, lunar_calendar: str) -> School:
    return replace(school, lunar_calendar=lunar_calendar)


@lru_cache(maxsize=256)
def _with_basis(school: School, time_basis: str) -> School:
    return replace(school, time_basis=time_basis)


def _weights(given: Any) -> tuple[tuple[str, float], ...]:
    """Every weight by name, with defaults for missing ones."""
    chosen = _as_map("yong_weights", given, tuple(YONG_WEIGHTS))
    for name, value in chosen.items():
        if name not in YONG_WEIGHTS:
            raise _unknown_value("yong_weights", name, tuple(YONG_WEIGHTS))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10:
            raise _unknown_value(f"yong_weights.{name}", value, (Said("number_to_ten"),))
    return tuple((name, float(chosen.get(name, weight))) for name, weight in YONG_WEIGHTS.items())


def _variants(given: Any) -> tuple[tuple[str, str], ...]:
    """The chosen variants of stars, sorted by star; a star or variant that no table has is refused."""
    if given == ():
        return ()
    chosen = _as_map("star_variants", given, (Said("map_of_stars"),))
    if not chosen:
        return ()
    known = {row["name"]: row["variants"].split() for row in rows("stars") if row["variants"]}
    names = {alias: row["name"] for row in rows("stars") for alias in row["aliases"].split()}
    variants = {}
    for star, variant in chosen.items():
        name = names.get(star, star)
        if name not in known:
            raise _unknown_value("star_variants", star, tuple(known))
        if variant not in known[name]:
            raise _unknown_value(f"star_variants.{name}", variant, tuple(known[name]))
        variants[name] = variant
    return tuple(sorted(variants.items()))


def _as_map(name: str, given: Any, allowed: tuple[str, ...]) -> dict[Any, Any]:
    """A map, or the pairs into which a School turns one."""
    try:
        return dict(given)
    except (TypeError, ValueError):
        raise _unknown_value(name, given, allowed) from None


def _unknown_value(name: str, value: object, allowed: tuple[str, ...]) -> UnknownOption:
    return unknown_option(name, value if isinstance(value, float) else shown(value), allowed)


def _unknown_profile(name: object) -> UnknownProfile:
    return UnknownProfile(
        Said("profile_unknown", name=shown(name), allowed=Listed(PROFILES, " or ")),
        name="profile",
        value=shown(name),
        allowed=list(PROFILES),
    )


_NAMES = tuple(field.name for field in fields(School))
_values_of = attrgetter(*_NAMES)
DEFAULT = School()
