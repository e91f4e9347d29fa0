"""What a listener answers instead of serving: always a status, a code and a sentence."""

from davinci_env.errors import DavinciError


class Refusal(DavinciError):
    """A request that is turned away at the door; it never leaves this room.

    Attributes:
        status: the HTTP status of the answer.
        code: machine-readable reason.
    """

    def __init__(self, status: int, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.status = status
        self.code = code

    def body(self) -> dict[str, dict[str, str]]:
        """Return the JSON answer: the same envelope that tools use for their errors."""
        return {"error": {"code": self.code, "message": str(self)}}


def unknown_environment() -> Refusal:
    """Refuse an id that is unknown, ended or somebody else's: they can't be told apart."""
    return Refusal(
        404,
        "environment_not_found",
        "there is no environment of yours with this id",
        "it has ended, or never was, or is another token's; POST /environments gives a new one",
    )
