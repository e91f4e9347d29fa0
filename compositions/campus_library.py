"""Campus library: a college's registrar and the public library that its students use."""

from datetime import datetime

from davinci_env.compose import Composition
from davinci_env.domain import creates

composition = Composition(
    "campus_library",
    version=1,
    domains=["course_enrollment", "library_lending"],
    today=datetime(2026, 3, 16, 10, 0),
    role="student services assistant of Tidewater College and the Harbour Towns Public Library",
    intro="""
    The college and the library keep their own records, and look into each other's: whoever owes
    books or money in one place hears of it in the other.
    """,
)
college, library = composition.modules
MOST_OWED = 500

composition.link(
    "CourseBook",
    college.Enrollment,
    library.Loan,
    said=[
        "the library book for {it}",
        "the book I have out for {it}",
        "the library book that goes with {it}",
    ],
    back=["the class that goes with {it}", "the class that calls for {it}"],
    matches=lambda place, loan: place.status == "enrolled" and loan.status == "open",
)


@composition.cross_rule(
    {"enrol_student": "student", "swap_section": "enrollment.student"},
    because=[
        "there is a library fine of yours to pay first",
        "you still owe the library more than {MOST_OWED:money}",
        "more than {MOST_OWED:money} in library fines is open in your name",
    ],
    concepts=[["library", "fine", "fines"], ["owe", "pay", "paid", "unpaid", "open"]],
    remedy="pay_fine",
    offers=["you could pay the library first", "it works once the fines are paid"],
)
def library_is_paid(student) -> bool:
    """Nobody is enrolled, or moved to another class, who owes the library more than
    {MOST_OWED:money} in fines."""
    member = composition.as_known_in(library.Member, student)
    fines = () if member is None else member.fines
    return sum(f.amount - f.paid for f in fines if f.status == "open") <= MOST_OWED


@composition.cross_rule(
    {"drop_section": "enrollment", "withdraw_enrollment": "enrollment"},
    by="agent",
    because=[
        "the book borrowed for that class is still out",
        "the library book for it hasn't been brought back",
        "others in the class are waiting for the book that you have out for it",
    ],
    concepts=[["book", "loan"], ["out", "back", "returned", "bring"]],
    remedy="return_copy",
    offers=["you could bring the book back first", "it works once the book is returned"],
)
def book_is_back(enrollment) -> bool:
    """Before somebody leaves a class, see that the book that was borrowed for it is back, since
    others in the class are waiting for it."""
    return all(pair.loan.status != "open" for pair in enrollment.course_books)


@composition.on(library.Loan, "lost", changes=[creates(college.TermHold)])
def hold_for_lost_book(db, loan) -> None:
    """When a book that was borrowed for a class is reported lost, the registrar's system places a
    fees hold on the student at once."""
    for pair in loan.course_books:
        student = pair.enrollment.student
        db.create(college.TermHold, student=student, kind="fees", placed_on=db.today)
