/**
 * Stops animation frames on an idle page.
 * Gradio's loading screen reads the clock in every frame and does not stop after it is removed: sixty frames a second
 * for as long as the page is open. This script ends the loop with the loading screen.
 * This file is inlined in the page, because it must run before Gradio's scripts. It is not a module, and has no
 * dependencies.
 */

(() => {
  const request = window.requestAnimationFrame.bind(window);
  // Content drawn before Gradio stays visible until Gradio's tabs exist.
  const isSeen = (/** @type {HTMLElement | null} */ element) => element !== null && element.offsetParent !== null;
  const isLoading = () => document.readyState === "loading" || isSeen(document.getElementById("es-first"));
  // Other loops that start during loading must continue, so this one is recognised by its code.
  const readsClock = (/** @type {FrameRequestCallback} */ callback) => String(callback).includes("performance.now()");

  window.requestAnimationFrame = (callback) => {
    // First what is cheap: visibility needs a layout.
    const isOfLoadingScreen = readsClock(callback) && isLoading();
    return request(isOfLoadingScreen ? (time) => { if (isLoading()) callback(time); } : callback);
  };
})();
