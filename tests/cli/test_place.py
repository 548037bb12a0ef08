"""`bazi place`: one place, or the choices."""


def test_what_would_be_used(bazi):
    assert (
        bazi.text("place", "Peking").splitlines()[0]
        == "地点  北京市 116.407E 39.904N Asia/Shanghai (cn:110000)"
    )


def test_json_is_the_place(bazi):
    found = bazi.json("place", "New", "York")
    assert (found["ref"], found["timezone_id"]) == ("gn:5128581", "America/New_York")


def test_what_was_passed_over_is_named(bazi):
    assert "cn:220403" in bazi.text("place", "西安")
    assert bazi.json("place", "西安")["passed_over"][0]["ref"] == "cn:220403"


def test_a_place_with_two_clocks_says_so(bazi):
    assert "Asia/Urumqi" in bazi.text("place", "乌鲁木齐")


def test_an_ambiguous_name_lists_refs_that_are_accepted(bazi):
    result = bazi("place", "朝阳")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "cn:110105" in result.stderr
    assert bazi.json("place", "cn:110105")["name"] == "朝阳区"


def test_an_unknown_name_suggests(bazi):
    status, problem = bazi.problem("place", "Guangzou")
    assert (status, problem["data"]["suggestions"][0]) == (3, "Guangzhou")
