"""Contracts: what a domain may declare, and the error that names file and line where it may not."""

from typing import Any, TypedDict

import pytest

from davinci_env.domain import Dialect, Domain, Mapped, creates, lifecycle, moves, ref, sets, stays
from davinci_env.errors import ContractError
from tests.support.shed import TODAY, shed

HERE = "test_contracts"


def new(**options: Any):
    """A domain with two entities."""
    domain = Domain("small", version=1, category="x", today=TODAY, role="clerk", **options)

    class Person(domain.Entity, identity=True):
        """Somebody."""

        title: Mapped[str]

    class Thing(domain.Entity):
        """Something."""

        person: Mapped[Person] = ref(owner=True)
        size: Mapped[int]
        status: Mapped[str] = lifecycle({"new": ["old"]})

    return domain, Person, Thing


def broken(domain: Domain, match: str) -> ContractError:
    with pytest.raises(ContractError, match=match) as caught:
        domain.finish()
    with pytest.raises(ContractError):  # it stays broken
        _ = domain.tools
    return caught.value


def test_one_entity_is_the_person():
    domain = Domain("x", version=1, category="x", today=TODAY, role="clerk")

    class Thing(domain.Entity):
        """Something."""

        size: Mapped[int]

    broken(domain, "identity=True")


def test_a_tool_says_what_it_returns():
    for returns in (int, dict, None, list[int]):
        domain, _, Thing = new()

        def grow(db: Any, thing: Thing) -> returns:
            """Grow."""

        domain.write(changes=[])(grow)
        error = broken(domain, "grow must say what it returns")
        assert error.line == grow.__code__.co_firstlineno


def test_a_result_s_fields_are_values_or_rows():
    class Odd(TypedDict):
        what: complex

    domain, _, _ = new()

    @domain.read()
    def look(db: Any) -> Odd:
        """Look."""

    broken(domain, "result of look")


def test_arguments_need_types_that_travel():
    domain, _, Thing = new()
    with pytest.raises(ContractError, match="'size' of grow has no type"):

        @domain.write()
        def grow(db, thing: Thing, size) -> Thing:
            """Grow."""

    with pytest.raises(ContractError, match="'size' of shrink"):

        @domain.write()
        def shrink(db, thing: Thing, size: dict) -> Thing:
            """Shrink."""


@pytest.mark.parametrize("name", ["name", "log", "db"])
def test_some_arguments_have_other_meanings(name):
    domain, _, Thing = new()
    scope: dict[str, Any] = {"Thing": Thing}
    exec(f"def grow(first, {name}: str) -> Thing:\n    'Grow.'", scope)
    domain.write()(scope["grow"])
    broken(domain, repr(name))


def test_frames_start_at_arguments_and_name_states_that_exist():
    for frame, match in [
        ([stays("other", "new")], "starts at no argument"),
        ([moves("thing.size", "new", to="old")], "no reference 'size'"),
        ([moves("thing", "new", to="lost")], "no state lost"),
        ([moves("thing", ["new", "bad"], to="old")], "no state bad"),
        ([stays("thing.person", "new")], "no lifecycle"),
    ]:
        domain, _, Thing = new()

        def grow(db: Any, thing: Thing) -> Thing:
            """Grow."""

        domain.write(changes=frame)(grow)
        broken(domain, match)
    with pytest.raises(ContractError, match="names no column"):
        sets("thing")


def test_rules_must_fit_the_tool():
    domain, _, Thing = new()

    @domain.rule
    def small(thing: Thing) -> bool:
        """Only small things."""
        return thing.size < 5

    @domain.write(requires=[small], changes=[creates(Thing)])
    def make(db: Any, size: int) -> Thing:
        """Make.

        Args:
            size: How big.
        """

    error = broken(domain, r"needs thing: make has no such argument; write small.on\(...\)")
    assert error.line == make.__code__.co_firstlineno
    with pytest.raises(ContractError, match="no argument to put"):

        @domain.rule
        def always(db: Any) -> bool:
            """Always."""
            return True

        always.on("thing")


def test_rules_say_their_clause_once():
    domain, _, Thing = new()
    with pytest.raises(ContractError, match="no docstring"):

        @domain.rule
        def silent(thing: Thing) -> bool:
            return True

    with pytest.raises(ContractError, match="by='agent'"):

        @domain.rule(kind="confirmation")
        def sure(log: Any) -> bool:
            """Be sure."""
            return True

    @domain.rule
    def small(thing: Thing) -> bool:
        """Small."""
        return True

    with pytest.raises(ContractError, match="Two rules are called small"):
        domain.rule(small.predicate)


def test_rules_govern_tools_that_exist():
    domain, _, Thing = new()

    @domain.rule(governs=["grow"])
    def small(thing: Thing) -> bool:
        """Small."""
        return True

    error = broken(domain, "governs 'grow', which is no tool")
    assert error.line == small.line


def test_texts_name_constants_that_exist():
    domain, _, Thing = new()

    @domain.rule
    def small(thing: Thing) -> bool:
        """At most {MAX_SIZE_OF_NOTHING}."""
        return True

    error = broken(domain, "unknown constant")
    assert error.line == small.line


def test_two_tools_can_t_share_a_name():
    domain, _, Thing = new()
    domain.reads(Thing, get=True)
    with pytest.raises(ContractError, match="Two tools are called get_thing"):
        domain.reads(Thing, get=True)


def test_derived_reads_name_columns_and_references_that_exist():
    domain, _, Thing = new()
    for options, match in [
        ({"find": "colour"}, "no column 'colour'"),
        ({"search": ["colour"]}, "no column 'colour'"),
        ({"list_of": "owner"}, "no reference 'owner'"),
        ({"get": ["parts"]}, "no back list 'parts'"),
        ({"list_of": "person", "filters": ["colour"]}, "no column 'colour'"),
    ]:
        with pytest.raises(ContractError, match=match):
            domain.reads(Thing, **options)


def test_views_show_what_exists_under_a_name_of_its_own():
    for shows, match in [
        ({"owner": "person.colour"}, "no column 'colour'"),
        ({"owner": "owner.title"}, "no single reference"),
        ({"size": "person.title"}, "is a column"),
    ]:
        domain = Domain("x", version=1, category="x", today=TODAY, role="clerk")

        class Person(domain.Entity, identity=True):
            """Somebody."""

            title: Mapped[str]

        class Thing(domain.Entity, shows=shows):
            """Something."""

            person: Mapped[Person] = ref(owner=True)
            size: Mapped[int]

        broken(domain, match)


def test_a_domain_needs_a_seed():
    domain, _, _ = new()
    with pytest.raises(ContractError, match=r"no @domain\.seed"):
        domain.build()


def test_compiled_conditions_say_what_each_rule_says():
    """`refusal`, `blockers` and `violations` are the rules one by one, in their order."""
    made = shed()
    world = made.domain.build()
    tool = made.domain.tools["borrow"]
    for member in world.all(made.Member):
        for item in world.all(made.Item):
            bound = tool.context(
                {"member": member, "item": item, "days": 7, "buddy": None}, world.db, [], {}
            )
            wrong = [] if item.status == "shelved" else ["item_not_shelved"]
            broken_rules = [code for code, holds, _ in tool.enforced if not holds(bound)]
            assert tool.blockers(bound) == (wrong or broken_rules)
            refusal = tool.refusal(bound)
            assert (refusal and refusal.code) == next(iter(wrong + broken_rules), None)
            assert tool.violations(bound) == ("identified", "confirmed")
    world.close()


def test_an_absent_optional_row_fulfils_its_precondition():
    domain, Person, Thing = new()

    @domain.write(changes=[moves("thing", "new", to="old")])
    def age(db: Any, person: Person, thing: Thing | None = None) -> Person:
        """Age."""
        return person

    tool = domain.tools["age"]
    assert tool.refusal({"person": None, "thing": None}) is None
    assert [c.code for c in tool.preconditions] == ["thing_not_new"]


def test_the_codes_of_a_contract():
    assert shed().domain.tools["renew_loan"].codes == {
        "invalid_arguments", "loan_not_found", "loan_not_open", "renewals_left", "member_active",
        "too_early",
    }  # fmt: skip
    assert "access_denied" in shed("plain", "self_service").domain.tools["renew_loan"].codes
    assert "member_not_found" in shed().domain.tools["find_member_by_email"].codes


def test_names_of_derived_tools_follow_the_dialect():
    assert "lookup_item" in shed("shop").domain.tools
    assert "list_loans_by_member" in shed("shop").domain.tools
    assert "get_item" in shed("club").domain.tools
    assert Dialect().verb("find", entity="a", entities="b", column="c") == "find_a_by_c"
