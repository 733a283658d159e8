/** @module A person or a thing as two letters on a colour of their own. Pictures from elsewhere are never loaded. */
import { must } from "@fettle/contract/formats";
import { cx } from "../lib/cx.ts";

const hues = 8;

function initialsOf(name: string): string {
  const [first = "?", second] = name
    .trim()
    .split(/[\s@._-]+/)
    .filter(Boolean);
  const letters = second === undefined ? [...first].slice(0, 2) : [first, second].map((word) => [...word][0]);
  return letters.join("").toUpperCase();
}

/** The same name always gets the same colour. */
function hueOf(name: string): number {
  let sum = 2_166_136_261;
  for (const letter of name) {
    const code = must(letter.codePointAt(0), "a code for each letter");
    sum = Math.imul(sum ^ code, 16_777_619) >>> 0;
  }
  return (sum >>> 8) % hues;
}

export interface AvatarProps {
  name: string;
  /** Things are squares, people are circles. */
  square?: boolean;
  large?: boolean;
}

export function Avatar({ name, square = false, large = false }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      data-hue={hueOf(name)}
      className={cx(
        "avatar inline-flex shrink-0 select-none items-center justify-center font-semibold",
        large ? "size-9 text-sm" : "size-6 text-[0.625rem]",
        square ? "rounded-control" : "rounded-full",
      )}
    >
      {initialsOf(name)}
    </span>
  );
}
