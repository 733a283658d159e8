/** @module The place that widgets are shown in, as it was chosen in this tab, by a person or by the terminal: the next widget is shown there too. */
import { createStore } from "../../lib/store.ts";
import { asTheBrowser, type Emulation } from "./emulation.ts";

export const chosenEmulation = createStore<Emulation>(asTheBrowser);

export const chooseEmulation = (part: Partial<Emulation>): void =>
  chosenEmulation.set({ ...chosenEmulation.get(), ...part });
