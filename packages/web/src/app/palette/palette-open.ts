/** @module Whether the palette, or the sheet of keys, is open. */
import { createStore } from "../../lib/store.ts";

export const paletteOpen = createStore(false);
export const keySheetOpen = createStore(false);
