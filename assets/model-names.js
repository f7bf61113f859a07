/** Fills in a suggested model name in the name field. */

/**
 * Listen for clicks on suggested names inside an element.
 * @param {HTMLElement} element
 */
export function watchSuggestions(element) {
  /** @param {Event} event */
  const nameAt = ({ target }) => (target instanceof Element ? target.closest("[data-model-name]")?.getAttribute("data-model-name") ?? undefined : undefined);
  // The list may be redrawn between press and release; the click then targets its surroundings.
  /** @type {string|undefined} */
  let pressed;
  element.addEventListener("pointerdown", (event) => {
    pressed = nameAt(event);
  });
  element.addEventListener("click", (event) => {
    const name = nameAt(event) ?? pressed;
    pressed = undefined;
    /** @type {HTMLInputElement|HTMLTextAreaElement|null} */
    const field = document.querySelector("#model-name input, #model-name textarea");
    if (name === undefined || !field) return;
    field.value = name;
    // Simulate typing: the page and the server have no other way to notice.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  });
}
