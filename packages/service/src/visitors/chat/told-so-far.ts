/** @module What a turn has told so far, kept small, for whoever opens the conversation before it ends. */
import { limits } from "@fettle/contract/core";
import type { ChatToolCall } from "@fettle/contract/visitors";
import type { Told } from "./attended.ts";

const { chat } = limits;

export interface ToldSoFar {
  add(told: Told): void;
  /** Goes up with whatever is added. */
  readonly version: number;
  /** As its stream would tell it anew, words put together; of a long answer the end. */
  read(): KeptTold;
}

export interface KeptTold {
  told: KeptEvent[];
  truncated?: true;
}

type KeptEvent = Extract<Told, { event: "text" | "reasoning" | "tool-start" | "tool-end" }>;

export function createToldSoFar(): ToldSoFar {
  let events: KeptEvent[] = [];
  let letters = 0;
  let version = 0;
  let isTruncated = false;

  function addWords(told: Extract<KeptEvent, { event: "text" | "reasoning" }>): void {
    letters += told.data.text.length;
    const last = events.at(-1);
    if (last?.event === told.event) {
      const { step, text } = last.data;
      events[events.length - 1] = { event: last.event, data: { step, text: text + told.data.text } };
    } else events.push(told);
    if (letters > 2 * chat.toldLetters) shorten();
  }

  function addCall(told: Extract<KeptEvent, { event: "tool-start" | "tool-end" }>): void {
    const { toolCallId } = told.data;
    const at = events.findIndex((one) => "toolCallId" in one.data && one.data.toolCallId === toolCallId);
    const small = { event: told.event, data: withoutLongOutput(told.data) };
    if (at < 0) events.push(small);
    else events[at] = small;
  }

  /** The oldest words go; now and then, because each time all of them are looked at. */
  function shorten(): void {
    let over = letters - chat.toldLetters;
    events = events.flatMap((one): KeptEvent[] => {
      if (!("text" in one.data) || over <= 0) return [one];
      const { step, text } = one.data;
      const cut = Math.min(over, text.length);
      over -= cut;
      return cut === text.length
        ? []
        : [{ event: one.event as "text", data: { step, text: text.slice(cut).toWellFormed() } }];
    });
    letters = chat.toldLetters;
    isTruncated = true;
  }

  return {
    add(told) {
      if (told.event === "text" || told.event === "reasoning") addWords(told);
      else if (told.event === "tool-start" || told.event === "tool-end") addCall(told);
      else return;
      version++;
    },
    get version() {
      return version;
    },
    read() {
      if (letters > chat.toldLetters) shorten();
      return { told: [...events], ...(isTruncated && { truncated: true as const }) };
    },
  };
}

/** The whole of it is there when the turn has ended. */
function withoutLongOutput(call: ChatToolCall): ChatToolCall {
  const { output, ...rest } = call;
  const isLong = output !== undefined && JSON.stringify(output).length > chat.previewLength;
  return isLong ? { ...rest, truncated: true } : call;
}
