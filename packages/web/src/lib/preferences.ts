/** @module How this device likes its pages: theme, density, motion, times, keys. Kept in the browser; theme and density also in a cookie, so that the service writes them before first paint. */

import { readStored, writeCookie, writeStored } from "./storage.ts";
import { createStore } from "./store.ts";

const choices = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "standard", "compact"],
  motion: ["system", "off"],
  time: ["relative", "exact"],
  codeSize: ["small", "standard", "large"],
  shortcuts: ["on", "off"],
  sidebar: ["open", "closed"],
} as const;

export type Preferences = { [Name in keyof typeof choices]: (typeof choices)[Name][number] };

const defaults: Preferences = {
  theme: "system",
  density: "standard",
  motion: "system",
  time: "relative",
  codeSize: "standard",
  shortcuts: "on",
  sidebar: "open",
};

/** Keeps of a stored value only what is still a choice today. */
function known(stored: unknown): Preferences {
  const kept = { ...defaults };
  if (typeof stored !== "object" || stored === null) return kept;
  for (const [name, allowed] of Object.entries(choices)) {
    const value: unknown = Reflect.get(stored, name);
    if (allowed.some((choice) => choice === value)) Reflect.set(kept, name, value);
  }
  return kept;
}

export const preferences = createStore<Preferences>(defaults);

export function loadPreferences(): void {
  preferences.set(known(readStored("preferences")));
  apply();
  // Another tab changed its mind: follow it.
  addEventListener("storage", () => {
    preferences.set(known(readStored("preferences")));
    apply();
  });
}

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  preferences.set({ ...preferences.get(), [name]: value });
  writeStored("preferences", preferences.get());
  if (name === "theme") writeCookie("fettle_theme", value === "system" ? null : value);
  if (name === "density") writeCookie("fettle_density", value === "standard" ? null : value);
  apply();
}

function apply(): void {
  const { theme, density, motion, codeSize } = preferences.get();
  Object.assign(document.documentElement.dataset, { theme, density, motion, codeSize });
}
