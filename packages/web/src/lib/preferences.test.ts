import { beforeEach, expect, test, vi } from "vitest";
import { loadPreferences, preferences, setPreference } from "./preferences.ts";

const key = "fettle:1:preferences";
let kept: Map<string, string>;
let page: { dataset: Record<string, string>; cookies: string[]; hear: () => void };

beforeEach(() => {
  kept = new Map();
  page = { dataset: {}, cookies: [], hear: () => {} };
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
  vi.stubGlobal("document", {
    documentElement: { dataset: page.dataset },
    set cookie(text: string) {
      page.cookies.push(text);
    },
  });
  vi.stubGlobal("addEventListener", (_: string, listener: () => void) => {
    page.hear = listener;
  });
});

const usual = {
  theme: "system",
  density: "standard",
  motion: "system",
  time: "relative",
  codeSize: "standard",
  shortcuts: "on",
  sidebar: "open",
};

test.each([
  [undefined, {}],
  ["dark", {}],
  [null, {}],
  [
    { theme: "dark", codeSize: "large" },
    { theme: "dark", codeSize: "large" },
  ],
  [{ theme: "pink", density: "compact", more: 1 }, { density: "compact" }],
])("of %j in the browser's storage counts what is a choice today", (stored, chosen) => {
  if (stored !== undefined) kept.set(key, JSON.stringify(stored));
  loadPreferences();
  const expected = { ...usual, ...chosen };
  expect(preferences.get()).toEqual(expected);
  const { theme, density, motion, codeSize } = expected;
  expect(page.dataset).toEqual({ theme, density, motion, codeSize });
});

test("a choice is shown, kept, and told to the service where it paints", () => {
  loadPreferences();
  setPreference("codeSize", "small");
  expect(page.dataset.codeSize).toBe("small");
  expect(JSON.parse(kept.get(key) ?? "")).toEqual({ ...usual, codeSize: "small" });
  expect(page.cookies).toEqual([]);

  setPreference("theme", "dark");
  setPreference("density", "compact");
  setPreference("theme", "system");
  setPreference("density", "standard");
  expect(page.cookies.map((cookie) => cookie.split(";")[0])).toEqual([
    "fettle_theme=dark",
    "fettle_density=compact",
    "fettle_theme=",
    "fettle_density=",
  ]);
  expect(page.cookies.map((cookie) => /max-age=(\d+)/.exec(cookie)?.[1] !== "0")).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("another tab's choice is followed", () => {
  loadPreferences();
  kept.set(key, JSON.stringify({ theme: "light" }));
  page.hear();
  expect(preferences.get().theme).toBe("light");
  expect(page.dataset.theme).toBe("light");
});
