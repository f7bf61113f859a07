/**
 * Keeps Svelte from observing Gradio's layout.
 * Gradio declares its layout and events as reactive state. Svelte then wraps each of thousands of objects in a proxy when
 * it is first read, although none of them ever changes: a sixth of the work while the page opens. Svelte wraps only plain
 * arrays and objects, and leaves those of any class alone.
 * This file is inlined in the page after the layout, because it must run before Gradio's scripts. It is not a module, and
 * has no dependencies.
 */

(() => {
  class FixedArray extends Array {}
  class FixedObject {}

  const layout = window.gradio_config;
  if (!layout) return;
  // Svelte does not look behind an object that it leaves alone.
  for (const list of [layout.components, layout.dependencies]) Object.setPrototypeOf(list, FixedArray.prototype);
  for (const page of Object.values(layout.page)) Object.setPrototypeOf(page.layout, FixedObject.prototype);
})();
