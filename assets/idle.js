/**
 * A page that is idle asks for no frames.
 * Gradio's loading screen reads the clock in every frame and does not stop when it is gone: sixty frames a second for as
 * long as the page is open. Here that ends with the loading screen.
 * This file stands in the page itself, because it must run before Gradio's scripts. It is no module, and works alone.
 */

(() => {
  const request = window.requestAnimationFrame.bind(window);
  // What is drawn before Gradio is seen until Gradio's tabs are there.
  const isSeen = (/** @type {HTMLElement | null} */ element) => element !== null && element.offsetParent !== null;
  const isLoading = () => document.readyState === "loading" || isSeen(document.getElementById("es-first"));
  // Other loops that start during loading must go on, so this one is recognised by its code.
  const readsClock = (/** @type {FrameRequestCallback} */ callback) => String(callback).includes("performance.now()");

  window.requestAnimationFrame = (callback) => {
    const isOfLoadingScreen = isLoading() && readsClock(callback);
    return request(isOfLoadingScreen ? (time) => { if (isLoading()) callback(time); } : callback);
  };
})();
