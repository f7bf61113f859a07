// Gallery of an edition: moving between items by keyboard, playing, spectrograms.

import { Player } from "./listen-player.js";

/** @type {Map<Element, Player>} */
const players = new Map();

/** Return the item that has or contains the focus. @returns {HTMLElement|null} */
function findCurrent() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.closest("article") : null;
}

/** Move the focus to the next or the previous item. @param {number} step */
function move(step) {
  const items = [...document.querySelectorAll("article")];
  const current = findCurrent();
  const at = current === null ? (step > 0 ? 0 : items.length - 1) : items.indexOf(current) + step;
  items[Math.min(items.length - 1, Math.max(0, at))]?.focus();
}

/** Stop everything else that plays. @param {HTMLAudioElement|Player} playing */
function stopOthers(playing) {
  for (const audio of document.querySelectorAll("audio")) {
    if (audio !== playing && !(playing instanceof Player && playing.audio === audio)) audio.pause();
  }
}

/** Play or pause the first sound of an item. @param {Element} item */
function toggle(item) {
  const audio = item.querySelector("audio");
  if (audio === null) return;
  if (audio.paused) audio.play().catch(() => {});
  else audio.pause();
}

/** Show the spectrogram of a sound instead of the plain player. @param {HTMLElement} sound */
function draw(sound) {
  if (players.has(sound)) return;
  const { url = "", seconds = "0", name = "" } = sound.dataset;
  const player = new Player({ url, name, seconds: Number(seconds) }, stopOthers);
  players.set(sound, player);
  sound.replaceChildren(player.element);
  player.play.focus();
}

/** @type {Record<string, (item: HTMLElement|null) => void>} */
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  p: (item) => item && toggle(item),
  s: (item) => item && item.querySelectorAll(".sound").forEach((one) => one instanceof HTMLElement && draw(one)),
};

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input:not([type=range]), select, textarea") !== null;
  const act = KEYS[event.key.toLowerCase()];
  if (isTyping || !act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act(findCurrent());
});

for (const audio of document.querySelectorAll("audio")) audio.addEventListener("play", () => stopOthers(audio));
for (const button of document.querySelectorAll(".sound button")) {
  if (!(button instanceof HTMLButtonElement) || button.parentElement === null) continue;
  const sound = button.parentElement;
  button.hidden = false;
  button.addEventListener("click", () => draw(sound));
}

const share = document.getElementById("share");
if (share instanceof HTMLButtonElement) {
  share.hidden = false;
  share.addEventListener("click", async () => {
    share.disabled = true;
    const response = await fetch(share.dataset.act ?? "", { method: "POST" }).catch(() => null);
    if (response?.ok) {
      location.reload();
      return;
    }
    share.disabled = false;
    const place = document.getElementById("share-error");
    if (place !== null) place.textContent = "That did not work. Reload the page and try again.";
  });
}
