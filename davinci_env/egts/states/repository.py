"""A repository with a history, branches, and work that is not committed yet."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from .repository_words import AUTHORS, PROJECTS

NOW = datetime(2025, 6, 16, 9, 0, tzinfo=UTC)
"""The moment at which an agent works in the repository, and of all that it commits: a Monday."""

USER = AUTHORS[0]
"""Who the agent commits as: name and address."""


@dataclass(frozen=True)
class Commit:
    """A commit to be made: on which branch, whose, and the files that it writes."""

    branch: str
    start: int | None
    """The commit it follows, by number, where it begins its branch."""
    message: str
    author: tuple[str, str]
    when: datetime
    files: dict[str, str]


@dataclass(frozen=True)
class Repository:
    """A repository to be made.

    Attributes:
        commits: in the order of their making; those of a branch follow each other.
        tags: name to the number of a commit.
        head: the branch that is checked out.
        staged: files in the index, by path.
        unstaged: files in the work tree alone, by path.
    """

    commits: tuple[Commit, ...]
    tags: dict[str, int]
    head: str
    staged: dict[str, str]
    unstaged: dict[str, str]


def make_repository(seed: int) -> Repository:
    """The repository of a seed: seven commits on `main`, four branches of one or two more, two
    tags, two files staged, four changed and three new. Any branch can be checked out as it stands:
    what is not committed no branch has touched.
    """
    rng = random.Random(f"repository {seed}")
    project = PROJECTS[rng.choice(sorted(PROJECTS))]
    times = [NOW - timedelta(days=90)]
    files = dict(project.files)
    commits = [Commit("main", None, "Start the project", USER, times[0], dict(files))]
    for message, path, line in rng.sample(project.changes, 6):
        files[path] += line + "\n"
        commits.append(_commit(rng, "main", None, message, {path: files[path]}, times))
    for name in rng.sample(sorted(project.branches), 4):
        start: int | None = rng.randrange(1, 7)
        made: dict[str, str] = {}
        for message, path, line in project.branches[name][: rng.choice((1, 2, 2))]:
            made[path] = made.get(path, "") + line + "\n"
            commits.append(_commit(rng, name, start, message, {path: made[path]}, times))
            start = None
    drafts = rng.sample(project.drafts, 5)
    fresh = rng.sample(sorted(project.fresh), 4)
    changed = {path: project.files[path] + line + "\n" for path, line in drafts}
    staged = {drafts[0][0]: changed.pop(drafts[0][0]), fresh[0]: project.fresh[fresh[0]]}
    unstaged = changed | {path: project.fresh[path] for path in fresh[1:]}
    tags = {"v0.1": rng.randrange(1, 4), "v0.2": rng.randrange(4, 7)}
    head = rng.choice(["main", *sorted({commit.branch for commit in commits})])
    return Repository(tuple(commits), tags, head, staged, unstaged)


def _commit(
    rng: random.Random, branch: str, start: int | None, message: str, files: dict[str, str],
    times: list[datetime],
) -> Commit:  # fmt: skip
    """A commit some days after the last, in the daytime."""
    day = times[-1] + timedelta(days=rng.randrange(1, 6))
    times.append(day.replace(hour=rng.randrange(8, 20), minute=rng.randrange(60)))
    return Commit(branch, start, message, rng.choice(AUTHORS), times[-1], files)


def fast_import(repository: Repository) -> bytes:
    """Commits, branches and tags, as `git fast-import` takes them."""
    lines: list[bytes] = []
    for number, commit in enumerate(repository.commits, start=1):
        name, address = commit.author
        who = f"{name} <{address}> {int(commit.when.timestamp())} +0000"
        lines += [f"commit refs/heads/{commit.branch}".encode(), f"mark :{number}".encode()]
        lines += [f"{role} {who}".encode() for role in ("author", "committer")]
        lines.append(_data(commit.message + "\n"))
        if commit.start is not None:
            lines.append(f"from :{commit.start}".encode())
        for path, text in commit.files.items():
            lines += [f"M 100644 inline {path}".encode(), _data(text)]
    for tag, number in repository.tags.items():
        lines += [f"reset refs/tags/{tag}".encode(), f"from :{number}".encode(), b""]
    return b"\n".join([*lines, b"done", b""])


def _data(text: str) -> bytes:
    raw = text.encode()
    return b"data %d\n%s" % (len(raw), raw)
