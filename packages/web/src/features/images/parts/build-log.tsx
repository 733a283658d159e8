/** @module The log of a build: follows its end while it grows, unless somebody has scrolled up to read. */
import { useEffect, useRef } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";

export function BuildLog({ text }: { text: string }) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end.
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
      tabIndex={0}
      aria-label="Log"
      data-testid="build-log"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
      className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-code"
    >
      <VisibleText text={text} />
    </section>
  );
}
