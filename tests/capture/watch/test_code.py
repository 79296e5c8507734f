"""UserCode: whose a frame is, and at which line it is."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType

import torch

from gradviz.capture.code import UserCode


def test_whose_code_it_is(tmp_path: Path) -> None:
    code = UserCode()
    assert code.is_user(__file__)
    assert code.is_user("<stdin>")
    assert not code.is_user(torch.__file__)
    assert not code.is_user(threading.__file__)
    assert not code.is_user(str(tmp_path / "site-packages" / "trainer.py"))
    assert UserCode([tmp_path]).is_user(str(tmp_path / "site-packages" / "trainer.py"))


def test_the_line_of_each_instruction() -> None:
    code, frame = UserCode(), sys._getframe()
    found = [code.source(frame)]
    found.append(code.source(frame))
    found.append(code.source(frame))
    first = test_the_line_of_each_instruction.__code__.co_firstlineno
    assert [source and source.line for source in found] == [first + 2, first + 3, first + 4]
    assert code.source(None) is None


def test_equal_places_are_one_object() -> None:
    code, frame = UserCode(), sys._getframe()
    one, other = [code.source(frame) for _ in range(2)]
    assert one is other


class _Mode:
    def __torch_function__(self) -> FrameType:
        return sys._getframe()


def test_what_only_hands_calls_on_is_passed_over() -> None:
    found = UserCode().frame(_Mode().__torch_function__())
    assert found is sys._getframe()
