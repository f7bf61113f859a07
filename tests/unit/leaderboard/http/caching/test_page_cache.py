"""Page cache: least recently used pages are evicted at the size limit."""

from leaderboard.http.caching.page_cache import PageCache

# Overhead in bytes that the cache adds to the size of each page.
KEY = 2_000


def test_least_recently_used_page_is_evicted_at_the_size_limit() -> None:
    cache = PageCache(max_bytes=3 * (KEY + 30))
    for name in "abc":
        cache.store_page(name, name.encode() * 30)
    assert cache.find_page("a") == b"a" * 30
    cache.store_page("d", b"d" * 30)
    assert [cache.find_page(name) for name in "abcd"] == [b"a" * 30, None, b"c" * 30, b"d" * 30]


def test_page_stored_again_counts_once_and_a_too_large_page_is_not_stored() -> None:
    cache = PageCache(max_bytes=2 * KEY + 100)
    for _ in range(10):
        cache.store_page("a", b"a" * 60)
    cache.store_page("b", b"b" * 40)
    assert cache.find_page("a") is not None
    assert cache.find_page("b") is not None
    cache.store_page("large", b"x" * (2 * KEY))
    assert cache.find_page("large") is None


def test_number_of_empty_pages_is_limited() -> None:
    cache = PageCache(max_bytes=10 * KEY)
    for number in range(100):
        cache.store_page(number, b"")
    assert [cache.find_page(number) is not None for number in range(100)] == [False] * 90 + [True] * 10
