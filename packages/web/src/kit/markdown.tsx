/** @module Markdown as it reads. Markup inside it stays text, addresses are made safe, and no picture is fetched from anywhere. */
import { lazy, Suspense } from "react";

// The reader of Markdown is larger than the rest of the page, so it comes when it is first needed.
const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

export function Markdown({ text, label }: { text: string; label: string }) {
  return (
    <article aria-label={label} className="markdown max-w-[75ch] break-words">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownBody text={text} />
      </Suspense>
    </article>
  );
}
