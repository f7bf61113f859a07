"""Page cache: rendered pages in memory, up to a number of bytes."""

from collections import OrderedDict
from threading import Lock

_MAX_BYTES = 32_000_000
# Keys are validated, but take memory too: about this much with the longest allowed cursor.
_KEY_BYTES = 2_000


class PageCache:
    """Least-recently-used cache of pages with a limit in bytes."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._n_bytes = 0
        self._pages: OrderedDict[object, bytes] = OrderedDict()
        self._lock = Lock()

    def find_page(self, key: object) -> bytes | None:
        """Return a cached page, or None."""
        with self._lock:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
            return page

    def store_page(self, key: object, page: bytes) -> None:
        """Store a page, and evict those not used for longest."""
        with self._lock:
            before = self._pages.pop(key, None)
            self._n_bytes += _size(page) - (_size(before) if before is not None else 0)
            self._pages[key] = page
            while self._n_bytes > self._max_bytes:
                _, dropped = self._pages.popitem(last=False)
                self._n_bytes -= _size(dropped)


def _size(page: bytes) -> int:
    return len(page) + _KEY_BYTES
