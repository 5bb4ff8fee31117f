"""How often a server is asked again."""

import pytest

from curation.retrieval.patience import Patience, attempt

THREE = Patience(attempts=3, pause_s=0.5)


class Server:
    """Fails as often as it is told to, then answers."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.faults:
            raise self.faults.pop(0)
        return "answer"


def test_a_fault_that_passes_is_tried_again_after_doubling_pauses() -> None:
    server, slept = Server(TimeoutError(), TimeoutError()), list[float]()
    assert attempt(server, again=(TimeoutError,), patience=THREE, sleep=slept.append) == "answer"
    assert slept == [0.5, 1.0]


def test_the_last_attempt_raises_what_it_met() -> None:
    server, slept = Server(*[TimeoutError(f"{n}") for n in range(1, 5)]), list[float]()
    with pytest.raises(TimeoutError, match="3"):
        attempt(server, again=(TimeoutError,), patience=THREE, sleep=slept.append)
    assert (server.asked, slept) == (3, [0.5, 1.0])


def test_another_fault_is_not_tried_again() -> None:
    server = Server(ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        attempt(server, again=(TimeoutError,), patience=THREE, sleep=lambda _seconds: None)
    assert server.asked == 1


def test_one_attempt_is_one_attempt() -> None:
    server = Server(TimeoutError())
    with pytest.raises(TimeoutError):
        attempt(server, again=(TimeoutError,), patience=Patience(attempts=1), sleep=lambda _seconds: None)
    assert server.asked == 1
