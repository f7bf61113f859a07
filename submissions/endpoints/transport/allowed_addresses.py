"""Allowed base URLs and IP addresses of endpoints. Pure."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from submissions.errors import BadRequestError

HTTPS_PORT = 443
_HTTP_PORT = 80
LOOPBACK = frozenset({"127.0.0.1", "::1"})
_LONGEST_URL = 500
_LOOPBACK_HOSTS = LOOPBACK | {"localhost"}
_URL = re.compile(r"[\x21-\x7e]+")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")
_ROUTE_AT_END = re.compile(r"/chat/completions/*$", re.IGNORECASE)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# The last label has only letters, or is an encoded one: no spelling of a number ends like that.
_NAME = re.compile(rf"(?:{_LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})")
_LONGEST_NAME = 253
# Also single words and underscores, as in clusters and containers.
_OWN_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
# Names of the local machine or network (RFC 6761, 6762, 7686, 8375, and those of clouds).
_PRIVATE_ENDS = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "onion", "alt")

_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; a cloud's metadata too
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's metadata at an address that looks public
        "169.254.0.0/16",  # link-local; the metadata of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; a cloud's metadata too
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
# The rest of IPv6 is unassigned, local, multicast, or embeds an IPv4 address (mapped, compatible, NAT64).
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# Interface ids of ISATAP, which embed an IPv4 address under any prefix.
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})


@dataclass(frozen=True, slots=True)
class Target:
    """A validated base URL.

    Attributes:
        scheme: `https`, or `http` on loopback and in a network of the user's own.
        host: Lower-case name; on loopback and in a network of the user's own possibly an address.
        port: 443, or any where `http` is allowed.
        path: Path before the API's routes, without a trailing slash.
        is_loopback: Whether it is on this machine, which only the development setting allows.
        is_own: Whether users name it on their own machine, where every address is allowed. Servers never do.
    """

    scheme: str
    host: str
    port: int
    path: str
    is_loopback: bool = False
    is_own: bool = False

    @property
    def url(self) -> str:
        """The base URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if (self.scheme, self.port) == ("https", HTTPS_PORT) else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def parse_base_url(text: str, *, allows_loopback: bool = False) -> Target:
    """Validate the base URL of an endpoint.

    Only a trailing `/chat/completions` is removed; URLs that programs interpret differently are refused.

    Args:
        text: The URL as given.
        allows_loopback: Development setting: also allows http and https on loopback, on any port.

    Raises:
        BadRequestError: The URL is not allowed; the message says why and never quotes a password.
    """
    parts, host, port, path = _split_url(text)
    if host in _LOOPBACK_HOSTS:
        return _target_on_loopback(parts, host, port, path, allows_loopback)
    _check_public(parts, host, port)
    return Target("https", host, HTTPS_PORT, path)


def parse_own_url(text: str) -> Target:
    """Validate the base URL that users give on their own machine: any host and port, http or https.

    It is not for servers, which connect for strangers and therefore use `parse_base_url`.

    >>> parse_own_url("http://gpu-3:8000/v1").url
    'http://gpu-3:8000/v1'

    Raises:
        BadRequestError: The URL cannot be used; the message never quotes a password.
    """
    if not text.lower().startswith(("http://", "https://")):
        raise _refuse("must begin with http:// or https://, such as http://localhost:8000/v1")
    parts, host, port, path = _split_url(text)
    if not (_OWN_NAME.fullmatch(host) or _is_address(host)) or len(host) > _LONGEST_NAME:
        raise _refuse("must contain a host name or an IP address, such as http://localhost:8000/v1")
    if port == 0:
        raise _refuse("must have a port from 1 to 65535")
    default = HTTPS_PORT if parts.scheme == "https" else _HTTP_PORT
    return Target(parts.scheme, host, port or default, path, is_loopback=host in _LOOPBACK_HOSTS, is_own=True)


def trim_route(url: str) -> str:
    """Return a URL or path without trailing slashes and `/chat/completions`, which every request adds.

    >>> trim_route("https://models.example.com/v1/chat/completions/")
    'https://models.example.com/v1'
    """
    return _ROUTE_AT_END.sub("", url).rstrip("/")


def is_public(address: str) -> bool:
    """Tell whether an address is public and embeds no other address.

    >>> is_public("8.8.8.8"), is_public("10.0.0.1"), is_public("::ffff:8.8.8.8")
    (True, False, False)
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        carries_another = (int(parsed) >> 32) & 0xFFFF_FFFF in _ISATAP
        if parsed.scope_id is not None or parsed not in _GLOBAL_UNICAST or carries_another:
            return False
    return not any(parsed in network for network in _REFUSED)


def _split_url(text: str) -> tuple[SplitResult, str, int | None, str]:
    """Return the parts of a URL, its host, port and path; URLs that programs interpret differently are refused."""
    if not _URL.fullmatch(text) or len(text) > _LONGEST_URL:
        raise _refuse(
            f"must have 1 to {_LONGEST_URL} ASCII characters without spaces; write an international domain name as "
            "xn--…"
        )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _refuse("is no URL that can be read") from None
    if "@" in parts.netloc:
        raise _refuse("must not contain a user name or password; send the key as `api_key`")
    if "?" in text or "#" in text or "\\" in text or "%" in text:
        raise _refuse("must not contain a query, a fragment, a backslash or percent-encoded characters")
    host = (parts.hostname or "").lower()
    path = trim_route(parts.path)
    if not _PATH.fullmatch(parts.path) or {".", ".."} & set(path.split("/")):
        raise _refuse("must have a plain path, such as /v1")
    return parts, host, port, path


def _is_address(host: str) -> bool:
    try:
        return getattr(ipaddress.ip_address(host), "scope_id", None) is None
    except ValueError:
        return False


def _target_on_loopback(parts: SplitResult, host: str, port: int | None, path: str, allowed: bool) -> Target:
    if not allowed:
        raise _refuse("points to this machine; enter a public endpoint")
    if parts.scheme not in ("http", "https"):
        raise _refuse("must begin with http:// or https:// on loopback")
    if port == 0:
        raise _refuse("must have a port from 1 to 65535 on loopback")
    default = HTTPS_PORT if parts.scheme == "https" else _HTTP_PORT
    return Target(parts.scheme, host, port or default, path, is_loopback=True)


def _check_public(parts: SplitResult, host: str, port: int | None) -> None:
    if parts.scheme != "https":
        raise _refuse("must begin with https://")
    if not _NAME.fullmatch(host) or len(host) > _LONGEST_NAME:
        raise _refuse(
            "must contain a public host name, such as https://models.example.com/v1; IP addresses, single words and "
            "a trailing dot are not allowed"
        )
    if any(host == end or host.endswith(f".{end}") for end in _PRIVATE_ENDS):
        raise _refuse("points to a private network; enter a public endpoint")
    if port not in (None, HTTPS_PORT):
        raise _refuse(f"must use port {HTTPS_PORT}; remove the port")


def _refuse(rule: str) -> BadRequestError:
    return BadRequestError("base_url", f"The base URL {rule}." if rule.startswith("is no") else f"`base_url` {rule}.")
