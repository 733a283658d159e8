/** @module What a page draws of a widget: how it stands, what it wishes for and what it has said. */
import type { RenderedWidget } from "@fettle/contract/widgets";
import type { JsonObject } from "../../lib/json-exact.ts";
import { createStore, type Store } from "../../lib/store.ts";
import type { WidgetMessage } from "./bridge.ts";

export type DisplayMode = RenderedWidget["displayModes"][number];

/** What a person is asked before the widget has its way. */
export interface Wish {
  title: string;
  /** Why a person is asked at all. */
  why?: string;
  /** The address, or the arguments. */
  detail: string;
  /** It can be allowed until the widget is closed. */
  tool?: string;
  say: (yes: boolean, always?: boolean) => void;
}

export type WidgetFault = "mount_failed" | "bridge_timeout";

export interface WidgetState {
  state: "loading" | "ready" | "error" | "closed";
  reason?: string;
  /** Why it did not begin, in a word that a program reads. */
  fault?: WidgetFault;
  /** When it had begun. */
  readyAt?: number;
  /** As the widget asks for it. */
  height: number;
  mode: DisplayMode;
  /** Those this host has and the widget says it can be shown in. */
  modes: readonly DisplayMode[];
  wishes: readonly Wish[];
  /** How many of its questions have no answer yet. */
  asking: number;
  messages: readonly WidgetMessage[];
  /** What it told the model, the latest only; and what it said in the person's name. */
  modelContext?: JsonObject;
  said: readonly string[];
}

export const heights = { least: 40, most: 5_000, first: 200 };

export interface WidgetStore extends Store<WidgetState> {
  change(part: Partial<WidgetState>): void;
}

export function createWidgetStore(modes: readonly DisplayMode[]): WidgetStore {
  const store = createStore<WidgetState>({
    state: "loading",
    height: heights.first,
    mode: "inline",
    modes,
    wishes: [],
    asking: 0,
    messages: [],
    said: [],
  });
  return {
    ...store,
    change: (part) => {
      const { reason, fault, ...before } = store.get();
      // Why it was in one state says nothing about the next: a widget may begin after all.
      const why = { ...(reason !== undefined && { reason }), ...(fault && { fault }) };
      store.set({ ...before, ...(part.state === undefined && why), ...part });
    },
  };
}
