/**
 * Choices from Gradio's lists. A list reports its value twice for each choice, and once more whenever it loses the
 * focus. Only the first report of another value is a choice: answering the others would reset what depends on it.
 */

/** Each list's value when it got the focus, or the choice since then. @type {Map<string, unknown>} */
const values = new Map();

/** @param {string} list  its ID @param {unknown} value */
export function focusList(list, value) {
  values.set(list, value);
}

/**
 * @param {string} list  its ID
 * @param {unknown} value
 * @returns {Promise<never>|undefined}  nothing, ever, if the value is not another one: no event is sent
 */
export function chooseFrom(list, value) {
  if (values.has(list) && values.get(list) === value) return new Promise(() => {});
  values.set(list, value);
}
