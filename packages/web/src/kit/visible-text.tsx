/** @module Text from a server, with what would hide or turn it made visible. */
import { visibleSpans } from "../lib/visible-text.ts";

export function VisibleText({ text }: { text: string }) {
  return visibleSpans(text).map((span, at) =>
    span.kind === "plain" ? (
      span.text
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: spans of one text never change places.
        key={at}
        title={span.name}
        className="mx-px rounded-[3px] bg-warn-soft px-0.5 font-mono text-warn text-xs [unicode-bidi:isolate]"
      >
        {span.text}
      </span>
    ),
  );
}
