/** @module The link to hand out: to copy, as a picture, to replace; and who may come by it. */
import type { ScenarioDetail, ScenarioMode } from "@fettle/contract/visitors";
import { QrCode as QrIcon, RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { isNarrower, modeOptions, modeText } from "../scenario-words.ts";

const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

export interface SharePanelProps {
  pid: string;
  scenario: ScenarioDetail;
}

export function SharePanel({ pid, scenario }: SharePanelProps) {
  const { id: scenarioId, link, mode, name, liveSessionCount } = scenario;
  const [open, setOpen] = useState<"qr" | "rotate">();
  const [wanted, setWanted] = useState<ScenarioMode>();
  const setMode = useChange("updateUserTestingScenario", (changed) => {
    setWanted(undefined);
    toast(`May come now: ${modeText(changed.mode)}`);
  });
  const change = (next: ScenarioMode) => setMode.run({ projectId: pid, scenarioId, body: { mode: next } });
  return (
    <Panel title="Share" about="Whoever opens the link agrees to be recorded before the first word.">
      <div className="stack gap-5">
        {link && (
          <div className="stack gap-2">
            <div className="flex items-center gap-2 rounded-control border border-edge bg-sunken py-1.5 pr-1.5 pl-3">
              <code data-testid="share-link" className="min-w-0 flex-1 break-all text-code">
                {link.url}
              </code>
              <CopyButton text={link.url} label="Copy link" look="primary" />
            </div>
            <div className="flex flex-wrap gap-2">
              <Button icon={<QrIcon aria-hidden="true" className="size-4" />} onClick={() => setOpen("qr")}>
                QR code
              </Button>
              <Button
                icon={<RefreshCw aria-hidden="true" className="size-4" />}
                onClick={() => setOpen("rotate")}
              >
                Replace the link …
              </Button>
            </div>
          </div>
        )}
        {mode && (
          <Choice
            label="Who may come"
            options={modeOptions}
            value={mode}
            disabled={setMode.busy}
            onChange={(next) => (isNarrower(next, mode) ? setWanted(next) : change(next))}
          />
        )}
        {!wanted && <FormFailure failure={setMode.failure} />}
      </div>
      {open === "qr" && link && (
        <Dialog open title={`QR code of ${name}`} onClose={() => setOpen(undefined)}>
          <Suspense>
            <QrCode text={link.url} label={`The link of ${name} as a QR code`} />
          </Suspense>
        </Dialog>
      )}
      {open === "rotate" && (
        <RotateDialog pid={pid} scenarioId={scenarioId} onClose={() => setOpen(undefined)} />
      )}
      {wanted && (
        <ConfirmDialog
          title={`Only ${modeText(wanted).toLowerCase()}?`}
          confirm="Narrow access"
          action={setMode}
          onClose={() => setWanted(undefined)}
          onConfirm={() => change(wanted)}
        >
          <p>
            Every open conversation ends at once ({liveSessionCount} at the moment); answers under way are
            stopped. Whoever still may comes in again by the link, and goes on.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function RotateDialog(props: { pid: string; scenarioId: string; onClose: () => void }) {
  const { pid, scenarioId, onClose } = props;
  const [evicts, setEvicts] = useState(true);
  const rotate = useChange("rotateScenarioLink", () => {
    toast("The link is replaced; the old one is dead");
    onClose();
  });
  return (
    <FormDialog
      title="Replace the link?"
      submit="Replace the link"
      look="danger"
      action={rotate}
      onClose={onClose}
      onSubmit={() => rotate.run({ projectId: pid, scenarioId, body: { evictRedeemed: evicts } })}
    >
      <p className="text-base text-soft">
        The old link stops working at once. What visitors have said stays, and so do invited people's own
        links.
      </p>
      <Checkbox
        label="End the conversations of those who are in"
        hint="Leave it checked when the link has leaked."
        checked={evicts}
        onChange={() => setEvicts(!evicts)}
      />
    </FormDialog>
  );
}
