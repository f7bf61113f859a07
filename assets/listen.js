/** The Listen tab: choose, hear and answer, be marked. `mount` is called with the element that the shell stands in. */

import { make } from "./board-format.js";
import { RoundView, makeEnd } from "./listen-round.js";
import { makeGroup, makeResults } from "./listen-results.js";
import { makeChannelTest } from "./listen-player.js";
import { countHeard, fetchOffers, fetchRound, loadUnfinished, rememberHeard, saveUnfinished, sendAnswers, withdraw } from "./listen-store.js";
import { followAddress } from "./page.js";

const RETRY_MS = 4000;
const LARGEST_SEED = 999999;
const WAITING = "The practice sounds are being rendered; about a minute.";

/** @param {HTMLElement} root */
export function mount(root) {
  const shell = root.querySelector("[data-listen]");
  if (!shell || shell.dataset.mounted) return;
  shell.dataset.mounted = "yes";
  const listen = new Listen(shell);
  followAddress("listen", (words) => listen.open(words));
}

class Listen {
  constructor(shell) {
    this.shell = shell;
    this.place = shell.querySelector("[data-place=listen]");
    this.view = null;
    window.addEventListener("earshot:tab", (event) => event.detail.tab === "listen" || this.pause());
  }

  /** @param {URLSearchParams} words  the address */
  async open(words) {
    const wish = readWish(words);
    if (this.round && isMeant(this.round, wish)) return this.writeAddress(this.round);
    const saved = loadUnfinished();
    if (saved && isMeant(saved, wish)) return this.enter(saved);
    this.leave();
    return this.showStart(wish);
  }

  /** Be silent while another tab is open. */
  pause() {
    for (const audio of this.place.querySelectorAll("audio")) audio.pause();
  }

  leave() {
    this.view?.close?.();
    this.view = null;
    this.round = null;
    this.stopWaiting();
  }

  stopWaiting() {
    clearTimeout(this.waiting);
    this.waiting = null;
  }

  show(element) {
    this.place.replaceChildren(element);
  }

  async showStart(wish) {
    try {
      this.offers = await fetchOffers();
    } catch (error) {
      return this.showProblem(error, () => this.showStart(wish));
    }
    return this.drawStart(wish);
  }

  drawStart(wish) {
    const { offers } = this;
    this.stopWaiting();
    const chosen = offers.find((one) => one.benchmark === wish.benchmark && (!wish.version || one.version === wish.version)) ?? offers[0];
    const length = chosen.lengths.includes(wish.n) ? wish.n : chosen.lengths[0];
    const redraw = (change) => this.drawStart({ ...wish, benchmark: chosen.benchmark, version: chosen.version, n: length, ...change });
    const choice = make("select", { class: "es-field", id: "listen-benchmark", "data-testid": "listen-benchmark", onchange: () => {
      const { benchmark, version } = offers[choice.selectedIndex];
      redraw({ benchmark, version, seed: null });
    } }, ...offers.map((one) => make("option", {}, `${one.title} ${one.version}`)));
    choice.selectedIndex = offers.indexOf(chosen);
    const lengths = chosen.lengths.map((n) => make("label", { class: "es-control" },
      make("input", { type: "radio", name: "listen-length", checked: n === length, onchange: () => redraw({ n, seed: null }) }), String(n)));
    // A link to what is no longer there leads to other questions, whatever its seed.
    const isNamed = isMeant({ ...chosen, n: length, seed: wish.seed }, wish);
    const seed = isNamed ? wish.seed : null;
    const begin = () => {
      start.disabled = true;
      this.begin({ benchmark: chosen.benchmark, version: chosen.version, n: length, seed: seed ?? drawSeed() });
    };
    const start = make("button", { type: "button", class: "es-button es-primary", "data-testid": "start", disabled: !chosen.ready, onclick: begin }, "Start");
    const state = make("p", { class: "es-quiet", role: "status", "data-testid": "listen-state" }, chosen.ready ? sayAhead(seed, chosen) : WAITING);
    const held = document.activeElement?.closest?.("#listen-benchmark, [name=listen-length]");
    this.show(make("div", { class: "es-round" },
      make("div", { class: "es-controls" },
        make("label", { class: "es-control", for: "listen-benchmark" }, "Benchmark"), choice,
        make("fieldset", { class: "es-sources" }, make("legend", { class: "es-hidden" }, "Questions"), ...lengths, make("span", { class: "es-control" }, "questions")), start),
      state, makeChannelTest(), makeGroup(chosen.group)));
    if (held) this.place.querySelector(held.id ? `#${held.id}` : "[name=listen-length]:checked").focus();
    if (!chosen.ready) this.waitFor(wish, chosen);
  }

  /** Look again while sounds are rendered, and only while somebody looks on. */
  waitFor(wish, { benchmark, version }) {
    const mine = setTimeout(async () => {
      if (this.shell.offsetParent !== null && !document.hidden) this.offers = await fetchOffers().catch(() => this.offers);
      // Meanwhile something else may have been chosen, or a round begun.
      if (mine === this.waiting) this.drawStart({ ...wish, benchmark, version });
    }, RETRY_MS);
    this.waiting = mine;
  }

  async begin(wish) {
    try {
      const asked = await fetchRound(wish);
      this.enter({ ...asked, at: 0, answers: {}, seconds: 0 });
    } catch (error) {
      if (error.status !== 503) return this.showProblem(error, () => this.begin(wish));
      this.offers = await fetchOffers().catch(() => this.offers);
      this.drawStart(wish);
    }
    return undefined;
  }

  enter(saved) {
    this.leave();
    this.round = saved;
    this.seenAt = Date.now();
    this.writeAddress(saved);
    if (saved.at >= saved.questions.length) return this.showEnd();
    this.view = new RoundView(saved, { onChange: () => this.remember(), onEnd: () => this.end(), onLeave: () => this.abandon() });
    this.remember();
    this.show(this.view.element);
    this.view.heading.focus({ preventScroll: true });
    return undefined;
  }

  remember() {
    const now = Date.now();
    this.round.seconds += (now - this.seenAt) / 1000;
    this.seenAt = now;
    saveUnfinished(this.round);
  }

  abandon() {
    const { benchmark, version, n } = this.round;
    saveUnfinished(null);
    this.leave();
    this.showStart({ benchmark, version, n, seed: null });
  }

  end() {
    this.round.at = this.round.questions.length;
    this.remember();
    this.view.close();
    this.showEnd();
  }

  showEnd() {
    const saved = this.round;
    const onBack = (at) => this.enter({ ...saved, at });
    const end = makeEnd(saved, countHeard(saved), { onBack, onSend: (consent) => this.send(consent, end) });
    this.view = null;
    this.show(end.element);
    end.element.querySelector("h3").focus({ preventScroll: true });
  }

  async send(consent, end) {
    const saved = this.round;
    end.send.disabled = true;
    const answers = Object.fromEntries(saved.questions.map(({ id }) => [id, saved.answers[id] ?? null]));
    try {
      const marked = await sendAnswers({ ...saved, answers }, consent);
      saveUnfinished(null);
      rememberHeard(saved);
      this.showResults(saved, marked);
    } catch (error) {
      end.problem.textContent = error.message;
      end.send.disabled = false;
    }
  }

  showResults(saved, marked) {
    const link = new URL(`/?${addressOf(saved)}`, location.href).href;
    const onAgain = () => {
      this.leave();
      this.begin({ benchmark: saved.benchmark, version: saved.version, n: saved.n, seed: drawSeed() });
    };
    this.view = makeResults(saved, marked, { onAgain, onWithdraw: (id) => withdraw(saved, id), link });
    this.show(this.view.element);
    this.view.heading.focus({ preventScroll: true });
    this.shell.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  showProblem(error, onAgain) {
    const again = make("button", { type: "button", class: "es-button", onclick: onAgain }, "Try again");
    const other = make("button", { type: "button", class: "es-button", onclick: () => this.showStart({ seed: null }) }, "Choose another round");
    this.show(make("div", { class: "es-round" }, make("p", { role: "alert", class: "es-error" }, error.message || "The server did not answer."), make("div", { class: "es-round-buttons" }, again, other)));
  }

  /** Keep the round in the address, so that somebody else can be asked the same. */
  writeAddress(round) {
    const address = new URL(location.href);
    if (address.searchParams.get("tab") !== "listen") return;
    for (const [name, value] of addressOf(round)) address.searchParams.set(name, value);
    history.replaceState(history.state, "", address);
  }
}

function addressOf({ benchmark, version, n, seed }) {
  return new URLSearchParams({ tab: "listen", benchmark, version, n, seed });
}

function readWish(words) {
  const number = (name) => (/^\d{1,9}$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null);
  return { benchmark: words.get("benchmark"), version: words.get("version"), n: number("n"), seed: number("seed") };
}

/** Whether an address means a round: it names this one, or no other. */
function isMeant(round, wish) {
  return ["benchmark", "version", "n", "seed"].every((name) => wish[name] === null || wish[name] === round[name]);
}

function drawSeed() {
  return 1 + Math.floor(Math.random() * LARGEST_SEED);
}

function sayAhead(seed, offer) {
  const which = seed === null ? "Questions are drawn evenly from every task." : `Round ${seed}: the questions that the link names.`;
  return `${offer.questions.toLocaleString("en")} practice questions. ${which} Your answers stay in this browser until the end.`;
}
