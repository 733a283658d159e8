/** @module Several faults in one server. */
import type { Fault } from "./faulty-proxy.ts";

/** In their order: what one changes, the next one gets. */
export function atOnce(faults: readonly Fault[]): Fault {
  return {
    answer: (request) => firstOf(faults, ({ answer }) => answer?.(request)),
    request: (request) => {
      for (const fault of faults) fault.request?.(request);
    },
    head: (head, request) => {
      for (const fault of faults) fault.head?.(head, request);
    },
    message: (message, request) => {
      let messages = [message];
      for (const { message: change } of faults) {
        if (change) messages = messages.flatMap((one) => [change(one, request) ?? []].flat());
      }
      return messages;
    },
    event: (lines, request) =>
      faults.reduce((changed, fault) => fault.event?.(changed, request) ?? changed, lines),
    endsStream: (message, request) => faults.some((fault) => fault.endsStream?.(message, request)),
    text: (text, request) =>
      faults.reduce((changed, fault) => fault.text?.(changed, request) ?? changed, text),
  };
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
