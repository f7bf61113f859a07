"""Bounding boxes of elements, and the horizontal overflow of a page."""

from playwright.sync_api import FloatRect, Locator

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Content beyond the window that no scrollable box or ellipsis accounts for.
FIND_WIDE = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const style = (one) => getComputedStyle(one);
  const isReached = (one) =>
    one !== null && one !== document.body && (/auto|scroll/.test(style(one).overflowX)
      || style(one).textOverflow === "ellipsis" || isReached(one.parentElement));
  const says = (one) => /^(INPUT|SELECT|BUTTON|TEXTAREA|IMG|CANVAS)$/.test(one.tagName)
    || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && says(one))
    .filter((one) => one.getBoundingClientRect().right > edge && one.getBoundingClientRect().left < 2 * edge)
    .filter((one) => !isReached(one.parentElement) && !one.closest(".visually-hidden, .es-hidden"))
    .slice(0, 5).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);
}"""


def box_of(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box
