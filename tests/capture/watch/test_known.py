"""Known: names that stay, modules and optimizers that are met, and that nothing which was met is held."""

from __future__ import annotations

import sys
import weakref

import torch
from torch import nn

from gradviz.capture.known import Known


def test_one_module_has_no_prefix_and_several_have() -> None:
    one, other = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2))
    assert Known({"": one}, {}, None).name(one.weight) == "weight"
    known = Known({"one": one, "other": other}, {}, None)
    assert [known.name(one.bias), known.name(other[0].weight)] == ["one.bias", "other.0.weight"]
    assert [known.path(one), known.path(other[0]), known.path(nn.ReLU())] == ["one", "other.0", None]


def test_the_first_name_stays() -> None:
    first = torch.ones(1, requires_grad=True)
    known = Known({}, {}, None)
    assert known.name(first, sys._getframe()) == "first"
    second = first
    del first
    assert known.name(second, sys._getframe()) == "first"
    assert known.collect(sys._getframe()).of(second) == ("first", ("second",))
    assert known.collect(None).of(second) == ("first", ())


def test_a_tensor_with_the_id_of_a_dead_one_inherits_nothing() -> None:
    known = Known({}, {}, None)
    gone = torch.ones(1)
    key = id(gone)
    assert known.name(gone, sys._getframe()) == "gone"
    del gone
    assert key not in known._tensors._facts


def test_what_nothing_names() -> None:
    assert Known({}, {}, None).name(torch.ones(1), None) == "(unnamed)"


def test_a_module_is_met_under_what_contains_it() -> None:
    model = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Linear(2, 2)))
    known = Known({}, {}, None)
    known.meet(model[1], sys._getframe())
    assert [known.path(model[1]), known.path(model[1][0]), known.path(model)] == ["1", "1.0", ""]


def test_a_module_without_a_variable_is_named_after_the_function() -> None:
    known = Known({}, {}, None)

    def decode(module: weakref.ref[nn.Module]) -> None:
        known.meet(module(), sys._getframe())

    holder = {1.5: nn.Sequential(nn.Linear(2, 2))}  # a key that names nothing
    decode(weakref.ref(holder[1.5]))
    assert known.path(holder[1.5][0]) == "decode().0"


def test_a_module_added_later_is_found_where_it_is() -> None:
    model = nn.Sequential(nn.ReLU())
    known = Known({"": model}, {}, None)
    model.append(nn.Tanh())
    known.meet(model[1], None)
    assert known.path(model[1]) == "1"


def test_a_shared_module_has_the_path_below_the_one_that_runs() -> None:
    shared = nn.Tanh()
    model = nn.ModuleDict({"a": nn.Sequential(shared), "b": nn.Sequential(shared)})
    known = Known({"": model}, {}, None)
    assert [known.path(shared), known.path(shared, "a"), known.path(shared, "b")] == ["a.0", "a.0", "b.0"]


def test_optimizers() -> None:
    given = torch.optim.SGD([torch.ones(1)], 0.1)
    known = Known({}, {"given": given}, None)
    adam = torch.optim.Adam([torch.ones(1)])
    assert [known.optimizer(given), known.optimizer(adam)] == ["given", "Adam"]
    known.meet(adam, sys._getframe())
    assert known.optimizer(adam) == "adam"


def test_what_was_met_is_not_held() -> None:
    known = Known({}, {}, None)
    model, adam = nn.Linear(2, 2), torch.optim.Adam([torch.ones(1)])
    known.meet(model, sys._getframe())
    known.meet(adam, sys._getframe())
    assert known.name(model.weight) == "weight"
    held = [weakref.ref(model), weakref.ref(model.weight), weakref.ref(adam)]
    del model, adam
    assert [one() for one in held] == [None, None, None]
    assert known.collect(None).modules == []
