"""Positions and part matrices of all bodies of a world in arrays of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Position, World

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.uint32]

#: The length of the side of a landblock, in metres.
_BLOCK_LENGTH = 192.0


class Bodies:
    """What all bodies of a world show at one time, one row for each: held objects come right after their holders.

    Bodies that are in no cell, hidden or undrawn are left out. The arrays are used again by every `update`, which copies
    nothing; keep a copy of what is to last. They grow as needed, unless they were given to the constructor.

        bodies = acmotion.Bodies()
        while True:
            world.advance(now)
            bodies.update(world)
            draw(bodies.matrices)
    """

    def __init__(self, matrices: Floats | None = None, *, capacity: int = 64, parts: int = 1024) -> None:
        """Allocates arrays for `capacity` bodies with `parts` parts in all, or writes to `matrices`, of shape (n, 3, 4)."""
        self._grows = matrices is None
        self._matrices: Floats = np.zeros((parts, 3, 4), np.float32) if matrices is None else matrices
        if self._matrices.ndim != 3 or self._matrices.shape[1:] != (3, 4):
            raise ValueError(f"the matrices have the shape {self._matrices.shape}, expected (n, 3, 4)")
        self._allocate(capacity)
        self._len = 0
        self._written = 0
        self._origin = 0

    def _allocate(self, capacity: int) -> None:
        self._guids: Integers = np.zeros(capacity, np.uint32)
        self._cells: Integers = np.zeros(capacity, np.uint32)
        self._origins: Floats = np.zeros((capacity, 3), np.float32)
        self._rotations: Floats = np.zeros((capacity, 4), np.float32)
        self._first: Integers = np.zeros(capacity, np.uint32)
        self._count: Integers = np.zeros(capacity, np.uint32)

    def update(
        self,
        world: World,
        *,
        origin: int | None = None,
        now: float | None = None,
        smooth: bool = False,
        within: tuple[Position, float] | None = None,
    ) -> Bodies:
        """Writes what a world shows, and returns itself.

        `origin` is the cell in whose landblock's axes the matrices are; by default that of the player, or else of the
        first entity. With `now`, a world that presents between ticks shows that time. `smooth` poses lie between key
        frames; by default they are those of the original. `within` a distance of a position, only what is there is shown.
        """
        while True:
            self._len, self._written, bodies, matrices, self._origin = world._show(
                self._guids,
                self._cells,
                self._origins,
                self._rotations,
                self._first,
                self._count,
                self._matrices,
                origin,
                now,
                smooth,
                within,
            )
            if bodies > len(self._guids):
                self._allocate(bodies + bodies // 4)
            elif matrices <= len(self._matrices):
                return self
            if matrices > len(self._matrices):
                if not self._grows:
                    raise ValueError(f"there are {matrices} parts, but the array has room for {len(self._matrices)}")
                self._matrices = np.zeros((matrices + matrices // 4, 3, 4), np.float32)

    def __len__(self) -> int:
        return self._len

    @property
    def origin(self) -> int:
        """The cell in whose landblock's axes `matrices` and `points` are."""
        return self._origin

    @property
    def guids(self) -> Integers:
        """The guids."""
        return self._guids[: self._len]

    @property
    def cells(self) -> Integers:
        """The cells."""
        return self._cells[: self._len]

    @property
    def origins(self) -> Floats:
        """The positions, each in the axes of its own cell's landblock: shape (n, 3)."""
        return self._origins[: self._len]

    @property
    def points(self) -> Floats:
        """The positions in the axes of `origin`'s landblock: shape (n, 3). Computed anew with each access."""
        cells = self.cells.astype(np.int64)
        points = self.origins.copy()
        points[:, 0] += ((cells >> 24) - (self._origin >> 24)) * _BLOCK_LENGTH
        points[:, 1] += (((cells >> 16) & 0xFF) - ((self._origin >> 16) & 0xFF)) * _BLOCK_LENGTH
        return points

    @property
    def rotations(self) -> Floats:
        """The rotations as quaternions w, x, y, z: shape (n, 4)."""
        return self._rotations[: self._len]

    @property
    def first(self) -> Integers:
        """The index of each body's first matrix."""
        return self._first[: self._len]

    @property
    def count(self) -> Integers:
        """The number of each body's matrices: its parts."""
        return self._count[: self._len]

    @property
    def matrices(self) -> Floats:
        """The matrices of all parts, in the axes of `origin`'s landblock: shape (m, 3, 4), a rotation and a translation."""
        return self._matrices[: self._written]

    def parts(self, index: int) -> Floats:
        """Returns the matrices of one body, by its row."""
        first, count = int(self.first[index]), int(self.count[index])
        return self._matrices[first : first + count]

    def __repr__(self) -> str:
        return f"<Bodies: {self._len} bodies, {self._written} parts>"

    def __copy__(self) -> Bodies:
        copy: Any = Bodies.__new__(Bodies)
        for name, value in self.__dict__.items():
            copy.__dict__[name] = value.copy() if isinstance(value, np.ndarray) else value
        result: Bodies = copy
        return result
