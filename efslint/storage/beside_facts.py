"""Facts about volumes that miss the data: mounted where an engine's data was expected, and not where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from efslint.knowledge.directories import at_or_below, normal
from efslint.knowledge.engines import Engine, Recognised, beside, holds
from efslint.knowledge.image_habits import declared_volumes
from efslint.kube.pods import Container
from efslint.storage.backing import Backing
from efslint.storage.engine_values import container_mount_paths, container_value, engine_statement, workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.survey import Survey, Use
from efslint.storage.uses import Mount
from efslint.yaml.node import text


def beside_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every writable mount of EFS or NFS that was meant for a database's data and does not hold it."""
    near: dict[int, frozenset[str] | None] = {}
    for use in found.uses:
        end, recognised = use.end, use.recognised
        if not isinstance(end, Backing) or end.kind not in ("efs", "nfs") or use.mount.read_only:
            continue
        if recognised is None or recognised.engine.category != "database":
            continue
        over = covered(use)
        if over is not None:
            yield _fact(use, end, recognised.engine, over[0], {"image_volume": over[1]})
            continue
        container = use.mount.container
        if id(container) not in near:
            near[id(container)] = _near(recognised, container)
        missed = _missed(use.mount, recognised, near[id(container)])
        if missed is not None:
            yield _fact(use, end, recognised.engine, missed, {})


def covered(use: Use) -> tuple[str, str] | None:
    """Return the data directory and the volume of the image that may come to lie over the mount that holds it."""
    top = normal(use.mount.path.text)
    if use.engine is None or use.engine["role"] != "data" or top is None:
        return None
    directory: str = use.engine["directory"]
    volumes = declared_volumes(text(use.mount.container.node, "image") or "")
    over = (each for each in volumes if each != top and at_or_below(each, top) and at_or_below(directory, each))
    return next(((directory, each) for each in over), None)


def _near(recognised: Recognised, container: Container) -> frozenset[str] | None:
    """Return the mounts near a data directory; ``None`` where a mount holds one, or may do so."""
    paths, data = container_mount_paths(container), recognised.data
    if not any(each.role == "data" for each in data) or not all(each.certain for each in data) or holds(data, paths):
        return None
    return frozenset(written for written, _ in beside(data, paths))


def _missed(mount: Mount, recognised: Recognised, near: frozenset[str] | None) -> str | None:
    """Return the data directory, held by no mount at all, that this mount was probably meant for."""
    top = normal(mount.path.text)
    if top is None or near is None:
        return None
    meant = any(at_or_below(path, top) or at_or_below(top, path) for path in _usual(recognised.engine))
    if meant or (mount.path.text in near and "data" in top.rpartition("/")[2].lower()):
        return next(each.path for each in recognised.data if each.role == "data")
    return None


def _usual(engine: Engine) -> Iterator[str]:
    """Yield the data directories of all images of an engine, those without a version in them."""
    for pattern in engine.images:
        yield from (path for path in pattern.data if "{" not in path)


def _fact(use: Use, end: Backing, engine: Engine, directory: str, value: dict[str, Any]) -> Fact:
    mount = use.mount
    resource = mount.template.resource
    told = {
        "workload": workload_value(resource),
        "container": container_value(mount.container),
        "mount_path": mount.path.text,
        "directory": directory,
        "storage": end.value,
        "engine": engine_statement(engine),
        **value,
    }
    origins = {"": Origin(mount.path.span), "/mount_path": Origin(mount.path.span), **end.origins}
    words = f"{engine.product} keeps its data in {directory}, not here"
    if value:
        words = f"{engine.product} keeps its data in {directory}, at or below a volume that the image declares"
    chain = (Step(mount.path.span, words), *end.steps)
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = resource.ref
    return Fact("beside", told, origins, chain, ref, (ref,), mount.container.name, confidence)
