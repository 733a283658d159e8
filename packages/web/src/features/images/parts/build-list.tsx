/** @module The builds of an image, newest first, each with its log. */
import { took } from "../../../lib/amounts.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Time } from "../../../ui/time.tsx";
import { type Build, isOpen } from "../build-words.ts";
import { BuildChip } from "./build-chip.tsx";
import { BuildLog } from "./build-log.tsx";

export function BuildList({ builds }: { builds: readonly Build[] }) {
  return (
    <ol aria-label="Builds" className="grid divide-y divide-line">
      {builds.map((build, at) => (
        <li key={build.id} className="py-2 first:pt-0 last:pb-0">
          <details open={at === 0}>
            <summary className="cursor-pointer rounded-[4px] py-1">
              <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
                <BuildChip build={build} />
                <span className="text-sm text-soft">
                  <Time at={build.createdAt} />
                  {durationOf(build)}
                </span>
              </span>
            </summary>
            <BuildBody build={build} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function durationOf({ startedAt, finishedAt }: Build): string {
  return startedAt !== undefined && finishedAt !== undefined ? `, took ${took(finishedAt - startedAt)}` : "";
}

function BuildBody({ build }: { build: Build }) {
  const { error, logPreview } = build;
  return (
    <div className="stack mt-2 gap-3">
      {error !== undefined && <Notice kind="bad">{error}</Notice>}
      {logPreview === undefined ? (
        <p className="text-faint text-sm">
          {build.status === "queued"
            ? "It begins when a worker is free."
            : isOpen(build)
              ? "Nothing in its log yet."
              : "It left no log."}
        </p>
      ) : (
        <>
          <BuildLog text={logPreview} />
          <span className="flex flex-wrap items-center justify-between gap-2 text-faint text-sm">
            <span>
              Base <code className="break-all text-code">{build.baseImageDigests.join(", ")}</code>
            </span>
            <CopyButton text={logPreview} label="Copy log" />
          </span>
        </>
      )}
    </div>
  );
}
