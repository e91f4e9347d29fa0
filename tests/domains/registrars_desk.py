"""What the tests of the registrar's desk share: rows, calls, refusals and what blocks a call."""

from datetime import date

TODAY = date(2026, 3, 16)


def rows(env, name, **equal):
    return env.world.all(env.domain.entities[name], **equal)


def call(env, tool, **arguments):
    result = env.call(tool, arguments)
    assert result.ok, f"{tool}({arguments}): {result.text}"
    return result.data["data"]


def refusal(env, tool, **arguments):
    before = env.capture().state_hash
    result = env.call(tool, arguments)
    assert not result.ok, f"{tool}({arguments}) was not refused"
    assert env.capture().state_hash == before
    return result.code


def broken(env):
    return [
        f"{check.__name__}({row.id})"
        for entity, check in env.domain.invariants
        for row in env.world.all(entity)
        if not check(row)
    ]


def blockers(env, tool, **arguments):
    return env.domain.tools[tool].blockers(env.bind(tool, arguments))


def own_rules(env, tool, **arguments):
    """The agent's own rules that a call breaks, identification and consent apart."""
    told = env.call(tool, arguments)
    assert told.ok, told.text
    return tuple(code for code in told.violated if code not in ("identified", "confirmed"))


def joins(env):
    """Every enrolment that can be asked for."""
    for student in rows(env, "Student"):
        for section in rows(env, "CourseSection"):
            yield student, section, {"studentId": student.id, "sectionId": section.id}


def allowed(env):
    """An enrolment that nothing forbids, of the register or of the agent's own."""
    return next(
        (student, section, arguments)
        for student, section, arguments in joins(env)
        if section.status == "open"
        and section.course.level < 300
        and not blockers(env, "enrol_student", **arguments)
        and all(place.section.course is not section.course for place in student.enrollments)
    )


def joining_blocked_by(env, *codes, status="open"):
    return next(
        (student, section, arguments)
        for student, section, arguments in joins(env)
        if section.status == status and blockers(env, "enrol_student", **arguments) == list(codes)
    )


def load_of(student):
    return sum(p.section.course.credits for p in student.enrollments if p.status == "enrolled")


def left(charge):
    return charge.amount - charge.credited - charge.paid + charge.refunded
