/** The tab that was drawn before Gradio came up, and how it gets into Gradio's page. */

let isPressed = false;
for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
  window.addEventListener(name, () => { isPressed = name === "pointerdown"; }, { capture: true });
}

/**
 * Let what was drawn take its place in its tab, as soon as that tab is open; until then it is seen where it is.
 * @param {string} tab  id of the tab
 * @param {HTMLElement} element  what was drawn
 * @param {Element} standIn  what stands in its place
 */
export function settle(tab, element, standIn) {
  const root = document.documentElement;
  const isSeen = root.dataset.first === tab;
  const move = () => {
    // What moves between press and release is never clicked.
    if (isPressed) return void setTimeout(move, 20);
    // Moving an element takes the focus from what is in it, and where it was scrolled to.
    const held = document.activeElement;
    const focused = held instanceof HTMLElement && element.contains(held) ? held : null;
    const { scrollTop = 0, scrollLeft = 0 } = element.querySelector(".es-frame") ?? {};
    const wasFirst = element.closest("#es-first") !== null;
    standIn.replaceWith(element);
    if (isSeen) delete root.dataset.first;
    if (isSeen || wasFirst) document.getElementById("es-first")?.remove();
    element.querySelector(".es-frame")?.scrollTo(scrollLeft, scrollTop);
    focused?.focus({ preventScroll: true });
    return undefined;
  };
  if (!isSeen || standIn.parentElement?.offsetParent !== null) return move();
  // Whichever tab is open then, nothing may stay covered.
  window.addEventListener("earshot:tab", move, { once: true });
  return undefined;
}
