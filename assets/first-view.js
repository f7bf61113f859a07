/** The tab drawn before Gradio has loaded, and its transfer into Gradio's page. */

let isPressed = false;
for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
  window.addEventListener(name, () => { isPressed = name === "pointerdown"; }, { capture: true });
}

/**
 * Move a drawn element into its tab as soon as that tab is open; until then it stays visible where it is.
 * @param {string} tab  id of the tab
 * @param {HTMLElement} element  drawn element
 * @param {Element} standIn  its placeholder in the tab
 */
export function settle(tab, element, standIn) {
  const root = document.documentElement;
  const isSeen = root.dataset.first === tab;
  const move = () => {
    // An element that moves between press and release never gets the click.
    if (isPressed) return void setTimeout(move, 20);
    // Moving an element loses focus and scroll position of its content.
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
  // Whatever tab is open then, nothing may stay covered.
  window.addEventListener("earshot:tab", move, { once: true });
  return undefined;
}
