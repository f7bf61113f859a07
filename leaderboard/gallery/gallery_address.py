"""Address of galleries."""

GALLERY_PATH = "/editions/"


def find_gallery_address(edition_id: str) -> str:
    """Return the address of the gallery of an edition on this host."""
    return f"{GALLERY_PATH}{edition_id}"
