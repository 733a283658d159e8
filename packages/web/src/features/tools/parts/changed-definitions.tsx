/** @module Says that tools changed since one last looked at them in this tab, and shows how, with what hides in a text made visible. */
import { useEffect, useState } from "react";
import type { Tool } from "../../../api/listed-tools.ts";
import { JsonDiffView } from "../../../kit/json-diff/json-diff-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { parseExact } from "../../../lib/json-exact.ts";
import { readForTab, writeForTab } from "../../../lib/storage.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { type DefinitionChange, definitionChanges } from "../definition-changes.ts";

export interface ChangedDefinitionsProps {
  serverId: string;
  tools: readonly Tool[];
}

export function ChangedDefinitions({ serverId, tools }: ChangedDefinitionsProps) {
  const place = `tools:${serverId}`;
  const [known, setKnown] = useState<readonly Tool[]>(() => {
    const kept = readForTab(place, parseExact);
    // Written below, and nowhere else.
    return Array.isArray(kept) ? (kept as Tool[]) : tools;
  });
  useEffect(() => writeForTab(place, known), [place, known]);
  const [isOpen, setOpen] = useState(false);
  const changes = definitionChanges(known, tools);
  if (changes.length === 0) return null;
  const accept = () => {
    setOpen(false);
    setKnown(tools);
  };
  const title = `${changes.length} ${changes.length === 1 ? "tool" : "tools"} changed since you last looked`;
  return (
    <div data-testid="definition-changes" className="p-3">
      <Notice kind="warn" role="status" title={title}>
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-auto min-w-0 break-words">
            <VisibleText text={changes.map(({ name }) => name).join(", ")} />
          </span>
          <Button onClick={() => setOpen(true)}>Show changes</Button>
          <Button onClick={accept}>Got it</Button>
        </div>
      </Notice>
      <Dialog wide open={isOpen} onClose={() => setOpen(false)} title={title}>
        <div className="stack max-h-[60dvh] gap-5 overflow-y-auto">
          {changes.map((change) => (
            <Change key={change.name} {...change} />
          ))}
        </div>
        <DialogActions>
          <Button look="primary" onClick={accept}>
            Got it
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}

function Change({ name, before, after }: DefinitionChange) {
  return (
    <section aria-label={name} className="stack gap-2">
      <h3 className="flex flex-wrap items-baseline gap-2">
        <code className="break-words font-semibold text-code">
          <VisibleText text={name} />
        </code>
        {!before && <span className="text-soft text-sm">is new</span>}
        {!after && <span className="text-soft text-sm">is gone</span>}
      </h3>
      <JsonDiffView
        label={`What changed in ${name}`}
        before={before ?? {}}
        after={after ?? {}}
        beforeName="Before"
        afterName="Now"
      />
    </section>
  );
}
