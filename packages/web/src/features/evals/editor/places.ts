/** @module Where the parts of an edited suite stand in its YAML. */
import type { Place } from "./suite-draft.ts";

type Path = Place["path"];

const isSame = (one: Path, other: Path) => one.join("\0") === other.join("\0");

export function placeOf(places: readonly Place[], path: Path): Place | undefined {
  return places.find((each) => isSame(each.path, path));
}

/** The number of the case that a line belongs to. */
export function caseAtLine(places: readonly Place[], line: number): number | undefined {
  const found = places.find(
    ({ path, line: from, endLine }) => path.length === 2 && from <= line && line <= endLine,
  );
  return found && Number(found.path[1]);
}

/** A part as it is written, moved to the margin. */
export function linesOf(text: string, places: readonly Place[], path: Path): string | undefined {
  const place = placeOf(places, path);
  if (!place) return undefined;
  const lines = text.split("\n").slice(place.line - 1, place.endLine);
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join("\n");
}
