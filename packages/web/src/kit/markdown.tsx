/** @module Markdown as it reads. Markup inside it stays text, addresses are made safe, and no picture is fetched from anywhere. */
import { lazy, Suspense } from "react";

// The reader of Markdown is larger than the rest of the page, so it comes when it is first needed.
const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

export interface MarkdownProps {
  text: string;
  label: string;
  /** Without them addresses stand there as text. */
  links?: boolean;
}

export function Markdown({ text, label, links = true }: MarkdownProps) {
  return (
    <article aria-label={label} className="markdown max-w-[75ch] break-words">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownBody text={text} links={links} />
      </Suspense>
    </article>
  );
}
