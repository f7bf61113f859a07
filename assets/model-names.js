/** Takes over a known model's name into the field in which it is typed. */

/**
 * Listen for clicks on suggested names inside an element.
 * @param {HTMLElement} element
 */
export function watchSuggestions(element) {
  /** @param {Event} event */
  const nameAt = ({ target }) => (target instanceof Element ? target.closest("[data-model-name]")?.getAttribute("data-model-name") ?? undefined : undefined);
  // The list may be made anew between press and release; the click is then on what surrounds it.
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
    // As if it had been typed: the page and the server hear of it in no other way.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  });
}
