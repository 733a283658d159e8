/** @module Says beforehand that nothing can be built here, and what would help. */
import type { OwnComputer } from "@fettle/contract/sandboxes";
import { Notice } from "../../../ui/notice.tsx";

export function MissingEngine({ missing }: { missing: OwnComputer["missingEngine"] | undefined }) {
  if (!missing) return null;
  return (
    <div data-testid="no-engine">
      <Notice kind="warn" title={missing.message}>
        <p>
          Blueprints can be written, linted and shared; to build one and to boot a computer takes an engine.
        </p>
        <p className="mt-1">{withCode(missing.hint)}</p>
      </Notice>
    </div>
  );
}

/** What stands between backticks is a command. */
function withCode(text: string) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      <code key={part} className="break-words text-code">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
