"""dipcc's game JSON, in the form that the `diplomacy` package opens too.

One file, two readers: every power in every table, results in the package's words, a
COMPLETED phase at the end, our own facts under the key `daide`.
"""

from .reading import read as read
from .writing import write as write

__all__ = ["read", "write"]
