/** @module Turns Markdown into elements, never into markup text. Loaded by `markdown.tsx` alone. */
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { visibleWords } from "../lib/visible-text.ts";
import { VisibleText } from "./visible-text.tsx";

const plugins = [remarkGfm];

/** Headings begin below the page's own. */
const components: Components = {
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  // Only an address that leaves the page is a link: a path inside the bundle has no page of its own.
  a: ({ href = "", children }) =>
    /^(https?|mailto):/.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span title={href}>{children}</span>
    ),
  img: ({ src, alt }) => (
    <span className="text-faint">
      [picture: <VisibleText text={alt || String(src ?? "")} />]
    </span>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
    <pre tabIndex={0}>{children}</pre>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
};

/** Whoever wrote it may repeat what a server said: an address is read, never followed by a slip. */
const withoutLinks: Components = {
  ...components,
  a: ({ href = "", children }) => (
    <span>
      {children}
      {String(children) !== href && (
        <span className="text-faint">
          {" ("}
          <VisibleText text={href} />)
        </span>
      )}
    </span>
  ),
};

export function MarkdownBody({ text, links }: { text: string; links: boolean }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={links ? components : withoutLinks}>
      {links ? text : visibleWords(text)}
    </ReactMarkdown>
  );
}
