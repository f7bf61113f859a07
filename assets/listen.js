/** The Listen tab: choose a round, answer it, see the results. `mount` receives the element with the shell. */

import { make } from "./board-format.js";
import { RoundView, makeEnd } from "./listen-round.js";
import { makeGroup, makeResults } from "./listen-results.js";
import { makeChannelTest } from "./listen-player.js";
import { countHeard, fetchOffers, fetchRound, loadUnfinished, rememberHeard, saveUnfinished, sendAnswers, withdraw } from "./listen-store.js";
import { followAddress } from "./page.js";

/** @import { End } from "./listen-round.js" */
/** @import { Failure } from "./listen-store.js" */

const RETRY_MS = 4000;
const LARGEST_SEED = 999999;
const WAITING = "Rendering the practice clips. This takes about a minute.";

/** @param {HTMLElement} root */
export function mount(root) {
  /** @type {HTMLElement|null} */
  const shell = root.querySelector("[data-listen]");
  /** @type {HTMLElement|null|undefined} */
  const place = shell?.querySelector("[data-place=listen]");
  if (!shell || !place || shell.dataset.mounted) return;
  shell.dataset.mounted = "yes";
  const listen = new Listen(shell, place);
  followAddress("listen", (words) => listen.open(words));
}

class Listen {
  /** @param {HTMLElement} shell @param {HTMLElement} place  container to draw in */
  constructor(shell, place) {
    this.shell = shell;
    this.place = place;
    /** @type {{heading: HTMLElement, close: () => void}|null} */
    this.view = null;
    /** @type {Listening.SavedRound|null} */
    this.round = null;
    /** @type {Listening.Offer[]} */
    this.offers = [];
    /** @type {ReturnType<typeof setTimeout>|null} */
    this.waiting = null;
    // Number of the current view, so that a late response is not drawn over a newer view.
    this.nShown = 0;
    this.seenAt = 0;
    window.addEventListener("earshot:tab", (event) => event.detail.tab === "listen" || this.pause());
  }

  /** @param {URLSearchParams} words  query of the address */
  async open(words) {
    const wish = readWish(words);
    if (this.round && isMeant(this.round, wish)) return this.writeAddress(this.round);
    const saved = loadUnfinished();
    if (saved && isMeant(saved, wish)) return this.enter(saved);
    this.leave();
    return this.showStart(wish);
  }

  /** Stop playback while another tab is open. */
  pause() {
    for (const audio of this.place.querySelectorAll("audio")) audio.pause();
  }

  leave() {
    this.nShown += 1;
    this.view?.close();
    this.view = null;
    this.round = null;
    this.stopWaiting();
  }

  stopWaiting() {
    clearTimeout(this.waiting ?? undefined);
    this.waiting = null;
  }

  /** @param {HTMLElement} element */
  show(element) {
    this.place.replaceChildren(element);
  }

  /** @param {Partial<Listening.Wish>} wish */
  async showStart(wish) {
    const mine = this.nShown;
    try {
      this.offers = await fetchOffers();
    } catch (error) {
      if (mine === this.nShown) this.showProblem(error, () => this.showStart(wish));
      return;
    }
    if (mine === this.nShown) this.drawStart(wish);
  }

  /** @param {Partial<Listening.Wish>} wish */
  drawStart(wish) {
    const { offers } = this;
    this.stopWaiting();
    const chosen = offers.find((one) => one.benchmark === wish.benchmark && (!wish.version || one.version === wish.version)) ?? offers[0];
    const length = chosen.lengths.find((n) => n === wish.n) ?? chosen.lengths[0];
    /** @param {Partial<Listening.Wish>} change */
    const redraw = (change) => this.drawStart({ ...wish, benchmark: chosen.benchmark, version: chosen.version, n: length, ...change });
    const choice = make("select", { class: "es-field", id: "listen-benchmark", "data-testid": "listen-benchmark", onchange: () => {
      const { benchmark, version } = offers[choice.selectedIndex];
      redraw({ benchmark, version, seed: null });
    } }, ...offers.map((one) => make("option", {}, `${one.title} ${one.version}`)));
    choice.selectedIndex = offers.indexOf(chosen);
    const lengths = chosen.lengths.map((n) => make("label", { class: "es-control" },
      make("input", { type: "radio", name: "listen-length", checked: n === length, onchange: () => redraw({ n, seed: null }) }), String(n)));
    // A link to questions that no longer exist leads to other questions, whatever its seed.
    const asked = wish.seed ?? null;
    const seed = isMeant({ ...chosen, n: length, seed: asked }, wish) ? asked : null;
    const begin = () => {
      start.disabled = true;
      this.begin({ benchmark: chosen.benchmark, version: chosen.version, n: length, seed: seed ?? drawSeed() });
    };
    const start = make("button", { type: "button", class: "es-button es-primary", "data-testid": "start", disabled: !chosen.ready, onclick: begin }, "Start");
    const state = make("p", { class: "es-quiet", role: "status", "data-testid": "listen-state" }, chosen.ready ? sayAhead(seed, chosen) : WAITING);
    const held = document.activeElement?.closest("#listen-benchmark, [name=listen-length]");
    this.show(make("div", { class: "es-round" },
      make("div", { class: "es-controls" },
        make("label", { class: "es-control", for: "listen-benchmark" }, "Benchmark"), choice,
        make("fieldset", { class: "es-sources" }, make("legend", { class: "es-hidden" }, "Questions"), ...lengths, make("span", { class: "es-control" }, "questions")), start),
      state, makeChannelTest(), makeGroup(chosen.group)));
    /** @type {HTMLElement|null} */
    const again = held ? this.place.querySelector(held.id ? `#${held.id}` : "[name=listen-length]:checked") : null;
    again?.focus();
    if (!chosen.ready) this.waitFor(wish, chosen);
  }

  /** Poll while clips are rendered and the tab is visible. @param {Partial<Listening.Wish>} wish @param {Listening.Offer} offer */
  waitFor(wish, { benchmark, version }) {
    const mine = setTimeout(async () => {
      if (this.shell.offsetParent !== null && !document.hidden) this.offers = await fetchOffers().catch(() => this.offers);
      // Meanwhile something else may have been chosen, or a round started.
      if (mine === this.waiting) this.drawStart({ ...wish, benchmark, version });
    }, RETRY_MS);
    this.waiting = mine;
  }

  /** @param {Listening.Named} wish */
  async begin(wish) {
    try {
      const asked = await fetchRound(wish);
      this.enter({ ...asked, at: 0, answers: {}, seconds: 0 });
    } catch (error) {
      if (/** @type {Failure} */ (error).status !== 503) return this.showProblem(error, () => this.begin(wish));
      this.offers = await fetchOffers().catch(() => this.offers);
      this.drawStart(wish);
    }
    return undefined;
  }

  /** @param {Listening.SavedRound} saved */
  enter(saved) {
    this.leave();
    this.round = saved;
    this.seenAt = Date.now();
    this.writeAddress(saved);
    if (saved.at >= saved.questions.length) return this.showEnd(saved);
    const view = new RoundView(saved, { onChange: () => this.remember(saved), onEnd: () => this.end(saved), onLeave: () => this.abandon(saved) });
    this.view = view;
    this.remember(saved);
    this.show(view.element);
    view.heading.focus({ preventScroll: true });
    return undefined;
  }

  /** @param {Listening.SavedRound} saved */
  remember(saved) {
    const now = Date.now();
    saved.seconds += (now - this.seenAt) / 1000;
    this.seenAt = now;
    saveUnfinished(saved);
  }

  /** @param {Listening.SavedRound} saved */
  abandon({ benchmark, version, n }) {
    saveUnfinished(null);
    this.leave();
    this.showStart({ benchmark, version, n, seed: null });
  }

  /** @param {Listening.SavedRound} saved */
  end(saved) {
    saved.at = saved.questions.length;
    this.remember(saved);
    this.view?.close();
    this.showEnd(saved);
  }

  /** @param {Listening.SavedRound} saved */
  showEnd(saved) {
    /** @param {number} at */
    const onBack = (at) => this.enter({ ...saved, at });
    /** @type {End} */
    const end = makeEnd(saved, countHeard(saved), { onBack, onSend: (consent) => this.send(saved, consent, end) });
    this.view = null;
    this.show(end.element);
    end.heading.focus({ preventScroll: true });
  }

  /** @param {Listening.SavedRound} saved @param {boolean} consent @param {End} end */
  async send(saved, consent, end) {
    end.send.disabled = true;
    const answers = Object.fromEntries(saved.questions.map(({ id }) => [id, saved.answers[id] ?? null]));
    try {
      const marked = await sendAnswers({ ...saved, answers }, consent);
      saveUnfinished(null);
      rememberHeard(saved);
      this.showResults(saved, marked);
    } catch (error) {
      end.problem.textContent = /** @type {Failure} */ (error).message;
      end.send.disabled = false;
    }
  }

  /** @param {Listening.SavedRound} saved @param {Listening.Marked} marked */
  showResults(saved, marked) {
    const link = new URL(`/?${addressOf(saved)}`, location.href).href;
    const onAgain = () => {
      this.leave();
      this.begin({ benchmark: saved.benchmark, version: saved.version, n: saved.n, seed: drawSeed() });
    };
    const view = makeResults(saved, marked, { onAgain, onWithdraw: (id) => withdraw(saved, id), link });
    this.view = view;
    this.show(view.element);
    view.heading.focus({ preventScroll: true });
    this.shell.firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** @param {unknown} error @param {() => void} onAgain */
  showProblem(error, onAgain) {
    const again = make("button", { type: "button", class: "es-button", onclick: onAgain }, "Try again");
    const other = make("button", { type: "button", class: "es-button", onclick: () => this.showStart({ seed: null }) }, "Choose another round");
    this.show(make("div", { class: "es-round" }, make("p", { role: "alert", class: "es-error" }, (error instanceof Error && error.message) || "Can't reach the server."), make("div", { class: "es-round-buttons" }, again, other)));
  }

  /** Write the round to the address bar: its link opens the same questions. @param {Listening.Named} round */
  writeAddress(round) {
    const address = new URL(location.href);
    if (address.searchParams.get("tab") !== "listen") return;
    for (const [name, value] of addressOf(round)) address.searchParams.set(name, value);
    history.replaceState(history.state, "", address);
  }
}

/** @param {Listening.Named} round */
function addressOf({ benchmark, version, n, seed }) {
  return new URLSearchParams({ tab: "listen", benchmark, version, n: String(n), seed: String(seed) });
}

/** @param {URLSearchParams} words @returns {Listening.Wish} */
function readWish(words) {
  /** @param {string} name */
  const number = (name) => (/^\d{1,9}$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null);
  return { benchmark: words.get("benchmark"), version: words.get("version"), n: number("n"), seed: number("seed") };
}

/** Whether an address refers to this round: it names this one, or none. @param {Listening.Wish} round @param {Partial<Listening.Wish>} wish */
function isMeant(round, wish) {
  return /** @type {const} */ (["benchmark", "version", "n", "seed"]).every((name) => wish[name] === null || wish[name] === round[name]);
}

function drawSeed() {
  return 1 + Math.floor(Math.random() * LARGEST_SEED);
}

/** @param {number|null} seed @param {Listening.Offer} offer */
function sayAhead(seed, offer) {
  const which = seed === null ? "Questions are drawn evenly from every task." : `Round ${seed}: the questions of this link.`;
  return `${offer.questions.toLocaleString("en")} practice questions. ${which} Your answers stay in this browser until the end.`;
}
