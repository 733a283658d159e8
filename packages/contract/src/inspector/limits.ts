/** @module How much the local inspector takes, and how long it waits. */
export const inspectorLimits = {
  port: 7410,
  widgetPort: 7411,
  nameLength: 200,
  textLength: 2_000,
  tabs: 50,
  /** Of a request's body, and of one that carries a result. */
  bodyBytes: 1_000_000,
  resultBytes: 10_000_000,
  /** A code that opens a page: used once, soon, and not guessed. */
  codeMs: 120_000,
  codeTriesAMinute: 3,
  /** The longest a command may take, and how long each of its steps. */
  commandMs: 120_000,
  usualCommandMs: 30_000,
  acceptedMs: 3_000,
  doneMs: 15_000,
  /** The sides of the place that a picture of a widget is taken in. */
  viewport: { least: 100, most: 2_560 },
  /** How long whoever opened a browser waits for its page. */
  browserMs: 20_000,
  /** A closed stream means that the browser is gone after this long; a reload is shorter. */
  lostMs: 3_000,
  /** How long one that runs may take to say who it is, on a machine that is busy; where none runs, that shows at once. */
  healthMs: 10_000,
  keepAliveMs: 15_000,
  /** Servers and saved calls in their files, and history of each server. */
  servers: 500,
  savedCalls: 500,
  historyEntries: 2_000,
  /** Conformance runs kept of each server, and how many may be under way. */
  conformanceRuns: 100,
  openConformanceRuns: 4,
  /** What is left of a stop before everything is cut off. */
  stopMs: 5_000,
} as const;
