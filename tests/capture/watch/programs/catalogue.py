"""All programs, by name."""

from __future__ import annotations

from collections.abc import Callable

from tests.capture.watch.programs import around, engine, loops, networks, tensors
from tests.capture.watch.programs.program import Program

_ALL: tuple[Callable[[], Program], ...] = (
    loops.mlp_sgd,
    loops.autocast_bf16,
    loops.scaler_fp16,
    loops.lbfgs,
    loops.accumulation_and_clipping,
    loops.optimizer_in_backward,
    loops.gan,
    loops.teacher_and_average,
    loops.many_losses,
    loops.changing_model,
    networks.dropout,
    networks.batch_norm_cnn,
    networks.lstm,
    networks.transformer,
    networks.written_out_attention,
    networks.sparse_embedding,
    networks.weight_tying,
    networks.parametrized,
    engine.checkpoint_reentrant,
    engine.checkpoint_not_reentrant,
    engine.user_hooks,
    engine.global_module_hooks,
    engine.legacy_module_hook,
    engine.gradient_penalty,
    engine.functional_transforms,
    engine.custom_function,
    tensors.complex_parameters,
    tensors.places_and_views,
    tensors.tensor_subclass,
    tensors.nested_tensor,
    around.function_mode,
    around.dispatch_mode,
    around.anomaly_mode,
    around.profiler,
    around.saved_on_cpu,
    around.packed,
    around.single_threaded_engine,
    around.default_device,
    around.copies_and_files,
    around.scripted_and_traced,
)
PROGRAMS = {program.__name__: program for program in _ALL}
