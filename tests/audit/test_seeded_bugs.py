"""The seeded bugs apply to the domain as it is, and the domain still loads and builds with each."""

import pytest

from davinci_env.domain import load_file
from davinci_env.environment import DomainEnvironment
from tests.audit.seeded_bugs import BUGS, EXPECTED, MISSED, seeded, source, write


def test_there_are_twenty_one_and_each_has_its_note():
    assert len(BUGS) == 21
    assert set(BUGS) == set(EXPECTED)
    assert set(BUGS) > MISSED


@pytest.mark.parametrize("bug", BUGS)
def test_each_substitution_applies_and_the_domain_still_builds(bug, tmp_path):
    text = seeded(bug)
    assert text != source()
    domain = load_file(write(bug, tmp_path))
    environment = DomainEnvironment(domain, domain.build(0, 0.25))
    assert environment.call("browse_books", {}).ok
    environment.close()
