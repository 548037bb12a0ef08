"""What the machine of whoever runs the tests must not change."""

import os

from bazi_core.tables.words import config_path, spoken
from tests.conftest import NO_CONFIG


def test_no_test_reads_the_configuration_of_whoever_runs_it():
    assert not os.path.exists(config_path())
    assert config_path().startswith(NO_CONFIG)
    assert spoken() == "zh-Hans"
