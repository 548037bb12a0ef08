"""Places: the clusters of entries that are one place, and their weights against each other.

Entries gather around the highest and most populous of those that bear the name, the head: those in its zone and at
most 0.25° away in both coordinates, which is one minute of solar time. Coordinates are degrees, north and east
positive (GeoNames: WGS 84; Chinese divisions: see docs/places.md).

An entry that is called otherwise and only also goes by the name asked for weighs less than its people. Most such
names are old ones, or the sound of the name in some other language: Amman was Philadelphia, Lomé is also Rome.
Capitals and the largest agglomerations (`eminent`) are meant by a name in their own letters although a namesake is
not much smaller; Chinese characters only write the sound, and many foreign names have the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.place.refs import is_division, ref_of

if TYPE_CHECKING:
    from collections.abc import Container

    Row = tuple[Any, ...]

CLUSTER_DEG = 0.25
PREFECTURE = 3
"""The level of prefectures, municipalities and their districts; below: 2 counties, 1 districts, 0 GeoNames."""
PREFECTURE_OUTWEIGHS = 2
PLACE_OUTWEIGHS = 8
"""How many times the weight of every rival an assumed answer needs; no rival may be a prefecture."""
OTHERWISE_NAMED_SHARE = 0.1
"""Of its people, what a place weighs that is called otherwise; it weighs nothing beside a major city of the name."""
MAJOR_CITY = 500_000
AS_A_RULE = {1: 200_000, 2: 400_000, 3: 800_000}
"""People of a division by its level, as a rule: what it weighs at least beside a place that is none.

GeoNames counts the people of its seat only, or has no count.
"""


class Place(NamedTuple):
    """A point on Earth with its zone, and the other places that its name may mean.

    >>> from bazi_core.place.gazetteer import look_up
    >>> print(look_up("Peking"))
    北京市 116.407E 39.904N Asia/Shanghai (cn:110000)
    >>> print(Place("a farm", -70.5, -33.25))
    a farm 70.500W 33.250S
    """

    name: str | None
    longitude: float | None
    latitude: float | None = None
    timezone_id: str | None = None
    ref: str | None = None
    country: str | None = None
    admin: str | None = None
    alt_timezone_id: str | None = None
    source: str = "user"
    population: int | None = None
    passed_over: tuple[Place, ...] = ()

    def __eq__(self, other: object) -> bool:
        # The same place is the same however many others bear its name.
        return isinstance(other, Place) and self[:9] == other[:9]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:9])

    def to_dict(self) -> dict[str, Any]:
        """The JSON form.

        >>> from bazi_core.place.gazetteer import look_up
        >>> look_up("纽约").to_dict()["ref"]
        'gn:5128581'
        """
        names = (
            "name",
            "ref",
            "country",
            "admin",
            "longitude",
            "latitude",
            "timezone_id",
            "alt_timezone_id",
            "source",
        )
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        parts = [
            self.name,
            self.longitude is not None and f"{abs(self.longitude):.3f}{'EW'[self.longitude < 0]}",
            self.latitude is not None and f"{abs(self.latitude):.3f}{'NS'[self.latitude < 0]}",
            self.timezone_id,
            self.ref and f"({self.ref})",
        ]
        return " ".join(part for part in parts if part)


class Cluster:
    """A row of `entry`, the head, and the entries gathered around it."""

    __slots__ = (
        "bears", "is_prefecture", "latitude", "level", "longitude", "loose", "population", "ref", "row", "times",
        "weight", "zone",
    )  # fmt: skip

    def __init__(self, row: Row, share: float = 1, loose: bool = False) -> None:
        number: int = row[0]
        self.row = row
        self.ref = ref_of(number)
        self.level: int = row[5]
        self.latitude: float = row[6]
        self.longitude: float = row[7]
        self.zone: str = row[8]
        self.population: int = row[10] or 0
        self.weight = share * self.population
        self.bears = share == 1
        self.loose = loose
        self.is_prefecture = self.level == PREFECTURE and self.bears
        self.times: int = row[11] if self.bears and row[11] else 0

    def takes(self, other: Cluster) -> bool:
        """Whether another entry is the same place as the head."""
        return (
            self.zone == other.zone
            and round(abs(self.latitude - other.latitude), 3) <= CLUSTER_DEG
            and round(abs(self.longitude - other.longitude), 3) <= CLUSTER_DEG
        )

    def count_in(self, other: Cluster) -> None:
        """Add another entry to this place."""
        self.population = max(self.population, other.population)
        self.weight = max(self.weight, other.weight)
        self.bears = self.bears or other.bears
        self.is_prefecture = self.is_prefecture or other.is_prefecture
        self.times = self.times or other.times

    @property
    def is_uncounted(self) -> bool:
        """Whether the place is a Chinese county or district of unknown population (as a rule hundreds of thousands)."""
        return self.level > 0 and not self.population

    def outweighs(self, other: Cluster) -> bool:
        """Whether this place outweighs another enough to be chosen without asking."""
        if other.is_prefecture or (other.times and not self.times):
            return False
        if other.bears and not self.bears and (self.loose or other.level):
            return False
        if other.is_uncounted and other.bears and not self.is_known:
            return False
        return 0 < self._weight_beside(other) >= self._enough() * other.weight

    def _weight_beside(self, other: Cluster) -> float:
        """The weight of the place, and at least that of its level beside one that is no division.

        In Latin letters, which write many names alike, only beside one whose people are not known.
        """
        by_level = self.bears and not other.level and (self.loose or not other.population)
        return max(self.weight, AS_A_RULE.get(self.level, 0)) if by_level else self.weight

    def _enough(self) -> int:
        """The factor by which the place must outweigh a rival."""
        if self.is_prefecture:
            return PREFECTURE_OUTWEIGHS
        return self.times if self.times and not self.loose else PLACE_OUTWEIGHS

    @property
    def is_known(self) -> bool:
        """Whether the place goes before a county or district of the same name: a prefecture, or a major city in Latin."""
        return self.is_prefecture or (self.bears and not self.loose and self.population >= MAJOR_CITY)

    def place(self, passed_over: tuple[Place, ...] = ()) -> Place:
        """The head as a place, with the population of the whole cluster."""
        return Place(
            name=self.row[1],
            longitude=self.longitude,
            latitude=self.latitude,
            timezone_id=self.zone,
            ref=self.ref,
            country=self.row[2],
            admin=self.row[4],
            alt_timezone_id=self.row[9],
            source="adcode" if is_division(self.row[0]) else "geonames",
            population=self.population or None,
            passed_over=passed_over,
        )


def gather(found: list[Row], otherwise_named: Container[int] = (), loose: bool = False) -> list[Cluster]:
    """The clusters of entries around the highest and largest ones: the weightiest first, then the others by population.

    Prefectures come before all that are not.

    `otherwise_named` are the numbers of those that only also go by the name: no prefectures, and lighter.
    `loose`: no entry has the name as its own, or its characters only transcribe a foreign one.
    """
    own = [row for row in found if row[0] not in otherwise_named]
    share = (
        0
        if any((row[10] or 0) >= MAJOR_CITY or (row[11] and not loose) for row in own)
        else OTHERWISE_NAMED_SHARE
    )
    entries = [Cluster(row, share if row[0] in otherwise_named else 1, loose) for row in found]
    clusters: list[Cluster] = []
    for entry in sorted(
        entries, key=lambda entry: (not entry.bears, -entry.level, -entry.population, entry.ref)
    ):
        home = next((cluster for cluster in clusters if cluster.takes(entry)), None)
        if home is None:
            clusters.append(entry)
        else:
            home.count_in(entry)
    heaviest = min(clusters, key=lambda cluster: (not cluster.is_prefecture, -cluster.weight))
    first = next((cluster for cluster in clusters if _outweighs_all(cluster, clusters)), heaviest)
    return sorted(
        clusters, key=lambda cluster: (cluster is not first, not cluster.is_prefecture, -cluster.population)
    )


def _outweighs_all(one: Cluster, clusters: list[Cluster]) -> bool:
    return all(one.outweighs(other) for other in clusters if other is not one)
