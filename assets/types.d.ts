/** Types that several scripts share. The answers of the REST API are those of `leaderboard/api/schemas/*_answers.py`. */

declare namespace Api {
  type Json<T> = T & { etag: string | null };
  type Source = "verified" | "submitted" | "reported" | "human" | "random";

  interface NamedModel {
    id: string;
    name: string;
  }

  interface ShownModel extends NamedModel {
    organisation: string | null;
    kind: string | null;
    size_billions: number | null;
    open_weights: boolean | null;
    url: string | null;
    links: string[];
    sent_as: string;
  }

  interface Column {
    /** `<slice>|<metric>` */
    key: string;
    slice: string;
    metric: string;
    title: string;
    group: string;
    /** how the metric is computed, and what an error type means */
    definition: string;
    higher_is_better: boolean;
    ranked: boolean;
    /** whether a language model gave it */
    judged: boolean;
    shown: boolean;
    chance: number | null;
  }

  interface Interval {
    value: number | null;
    low: number | null;
    high: number | null;
    std: number | null;
  }

  interface Paper {
    title: string;
    authors: string[];
    year: number | null;
    url: string;
  }

  /** Where a paper prints a row. */
  interface PrintedIn extends Paper {
    tables: string[];
    row: string;
    /** release of the questions that the paper used; null where it is the board's version */
    data_version: string | null;
  }

  interface Row {
    rank: number | null;
    rank_low: number | null;
    rank_high: number | null;
    model: ShownModel;
    source: Source;
    /** whether it is a reference system of the server, which is never ranked */
    reference: boolean;
    setting: string;
    scores: Record<string, Interval>;
    ranks: Record<string, number | null>;
    parts: string[];
    /** runs, or decoding seeds, that were submitted; null for papers */
    runs: number | null;
    missing: number | null;
    unreadable: number | null;
    /** whether open answers wait for the judge, so that judged columns have no score yet */
    open_pending: boolean;
    signature: string | null;
    submission: string;
    date: string | null;
    printed_on: string | null;
    paper: PrintedIn | null;
    notes: string[];
    score_notes: Record<string, string>;
  }

  interface Board {
    benchmark: string;
    revision: number;
    metric: string;
    columns: Column[];
    rows: Row[];
    next_cursor: string | null;
    detectable: number | null;
    detectable_figure: string | null;
    /** `<slice>|<metric>` that the page sorts by first */
    opening: string;
  }

  /** a strategy that hears nothing, and what it is expected to score: `<slice>|<metric>` → fraction */
  interface Baseline {
    id: string;
    title: string;
    description: string;
    scores: Record<string, number>;
  }

  interface Benchmark {
    /** decoding seeds of a whole submission; null where runs are no repeats */
    seeds: number | null;
    baselines: Baseline[];
    id: string;
    title: string;
    version: string;
    parts: { id: string; title: string; held: boolean }[];
    packs: string[];
    editions: boolean;
    open_version: string | null;
    needs: string | null;
    note: string | null;
    items: number | null;
    items_of_paper: number | null;
    clips: number | null;
    headline: string;
    chance: Record<string, number>;
    columns: Column[];
    definitions: { settings: Record<string, string>; items: Record<string, string>; terms: Record<string, string> };
  }

  interface Offered {
    value: string;
    rows: number;
  }

  /** values of a board's rows, by the name that the filter's `offered_as` gives */
  type Filters = Record<string, Offered[]>;

  interface BoardFilter {
    title: string;
    form: "text" | "choice" | "range";
    values: string[];
    unit: string | null;
    /** what a range matches as a whole */
    pattern: string | null;
    offered_as: string | null;
  }

  interface BoardParameter {
    name: string;
    description: string;
    /** whether the address of a board states it */
    in_address: boolean;
    max_characters: number | null;
    /** null where the page has no menu for it */
    filter: BoardFilter | null;
  }

  interface RowSource {
    /** source of a row, or `reference` */
    id: string;
    label: string;
    description: string;
    group: "evaluated" | "papers" | "baselines" | "references";
  }

  interface ExportFormat {
    id: string;
    label: string;
    /** what the page's link exports */
    description: string;
    extension: string;
    media_type: string;
    /** whether the page's link names the columns shown */
    is_table: boolean;
    all_columns: boolean;
    models_only: boolean;
  }

  /** What all boards have in common: the answer of `/api/v1/leaderboards`, which comes with the page. */
  interface BoardOptions {
    /** in the order of addresses */
    parameters: BoardParameter[];
    sources: RowSource[];
    formats: ExportFormat[];
  }

  interface Submission {
    scores: Record<string, { n: number | null }> | null;
  }

  interface Citation {
    submission: string;
    text: string;
    url: string;
    signature: string | null;
    bibtex: string;
    hub_yaml: string | null;
    model_index: string | null;
  }

  interface System {
    model: NamedModel;
    source: Source;
    submission: string;
    value: number;
  }

  /** The best evaluated model, else the best one that a paper reports. */
  interface Leader extends System {
    /** title of its figure, where that is not the headline */
    title: string | null;
    low: number | null;
    high: number | null;
  }

  interface Summary {
    id: string;
    title: string;
    summary: string;
    paper: Paper | null;
    version: string;
    open_version: string | null;
    items: number | null;
    items_of_paper: number | null;
    setting: string;
    headline: string;
    chance: number | null;
    human: number | null;
    best: System | null;
    leader: Leader | null;
    gap: number | null;
  }

  interface Cell {
    value: number;
    normalised: number | null;
    above_chance: number | null;
    version: string;
    counts: boolean;
    source: Source;
    submission: string;
    low: number | null;
    high: number | null;
    rank: number | null;
    rank_low: number | null;
    rank_high: number | null;
  }

  interface OverviewRow {
    model: NamedModel;
    cells: Record<string, Cell | undefined>;
  }

  interface Scale {
    benchmark: string;
    version: string;
    figure: string;
    title: string;
    chance: number | null;
    human: number | null;
    systems: System[];
  }

  interface NewRow {
    submission: string;
    model: NamedModel;
    source: Source;
    benchmark: string;
    title: string;
    version: string;
    setting: string;
    figure: string | null;
    value: number | null;
    date: string;
  }

  interface Overview {
    models: number;
    submissions: number;
    benchmarks: Summary[];
    rows: OverviewRow[];
    more: boolean;
    scales: Scale[];
    newest: NewRow[];
  }
}

/** Answers about the listening test. */
declare namespace Listening {
  /** The position of an option, those of several, or a truth value. */
  type Given = number | boolean | number[];

  interface Group {
    listeners: number;
    answers: number;
    value: number;
    low: number | null;
    high: number | null;
  }

  interface Offer {
    benchmark: string;
    version: string;
    title: string;
    ready: boolean;
    questions: number;
    lengths: number[];
    group: Group | null;
  }

  interface Sound {
    name: string;
    url: string;
    seconds: number;
  }

  interface Question {
    id: string;
    task_title: string;
    question: string;
    options: string[];
    answer_format: "boolean" | "choice" | "choices";
    audio: Sound[];
  }

  /** What names a round: the same words ask the same questions. */
  interface Named {
    benchmark: string;
    version: string;
    n: number;
    seed: number;
  }

  interface Round extends Named {
    title: string;
    seconds: number;
    questions: Question[];
  }

  /** A round that goes on: which question it is at, and the time spent on it in place of that of its sounds. */
  interface SavedRound extends Round {
    at: number;
    answers: Record<string, Given | null>;
  }

  /** What an address asks for; null is what it leaves open. */
  type Wish = { [Name in keyof Named]: Named[Name] | null };

  interface Rival {
    name: string;
    model: string;
    source: string;
    value: number;
  }

  interface Share {
    id: string;
    title: string;
    value: number;
    low: number;
    high: number;
    right: number;
    n: number;
    chance: number;
    figure_chance: number | null;
    human: Rival | null;
    models: Rival[];
  }

  interface MarkedQuestion {
    id: string;
    right: boolean;
    given: Given | null;
    truth: Given;
  }

  interface Marked {
    same_questions: boolean;
    score: Share;
    tasks: Share[];
    questions: MarkedQuestion[];
    kept: { id: string | null; reason: string | null } | null;
    group: Group | null;
  }
}

/** What a table draws. */
declare namespace Table {
  /** A row of a board, or the row of what is expected of guesses, which nobody submitted. */
  type Row = Pick<Api.Row, "source"> &
    Partial<Omit<Api.Row, "model" | "scores">> & {
      model: Partial<Api.ShownModel> & { name: string };
      scores: Record<string, Partial<Api.Interval>>;
      /** id of the text-only baseline that the row is of */
      baseline?: string;
      description?: string;
    };
}

interface Window {
  /** What stands in the page itself (`loading.js`). */
  earshot: {
    /** Import a module; while the server is away, wait for it. */
    load: (url: string, ask?: (url: string) => Promise<any>) => Promise<any>;
    isHealthy: () => Promise<boolean>;
    waitForServer: () => Promise<void>;
  };
  /** Address → the answer to what the page asked for before any script of ours was here. */
  earshotAsked?: Map<string, Promise<Response>>;
  /** Gradio's layout and events, as it writes them into the page. */
  gradio_config?: {
    components: object[];
    dependencies: { id: number; show_progress: string; outputs: number[] }[];
    page: { [path: string]: { layout: object } };
  };
}

interface WindowEventMap {
  /** A tab was opened. */
  "earshot:tab": CustomEvent<{ tab: string }>;
  /** The address says something else of a tab. */
  "earshot:address": CustomEvent<{ tab: string }>;
  /** A board shows a revision. */
  "earshot:board": CustomEvent<{ board: string; revision: string | null; choice: number }>;
}
