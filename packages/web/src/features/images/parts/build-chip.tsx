/** @module How a build stands, in a word. */
import { Chip } from "../../../ui/chip.tsx";
import { type Build, buildWords } from "../build-words.ts";

export function BuildChip({ build }: { build: Build }) {
  const { word, tone } = buildWords[build.status];
  return (
    <span data-testid="image-build" data-status={build.status}>
      <Chip tone={tone}>{word}</Chip>
    </span>
  );
}
