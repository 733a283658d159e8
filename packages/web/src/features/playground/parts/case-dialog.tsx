/** @module A conversation as an eval case: in a suite that is there, or in a new one on the same servers. */
import { freshKey } from "@fettle/contract/client";
import { caseLimits, textLimits } from "@fettle/contract/core";
import type { ChatSessionDetail, ChatSessionPromoted } from "@fettle/contract/visitors";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { makeCase } from "../queries.ts";

export interface CaseDialogProps {
  session: ChatSessionDetail;
  onClose: () => void;
}

export function CaseDialog({ session, onClose }: CaseDialogProps) {
  const suites = useOperation("listEvalSuites", { projectId: session.projectId }).data?.items ?? [];
  const [suiteId, setSuiteId] = useState("");
  const [made, setMade] = useState<ChatSessionPromoted>();
  // One key per opened form: pressing twice, or again after a lost answer, makes one case.
  const [attempt] = useState(freshKey);
  const make = useAction(
    (wanted: Parameters<typeof makeCase>[1]) => makeCase(session, wanted, attempt),
    setMade,
  );
  if (made) return <Made session={session} made={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Make an eval case"
      description="Your messages are asked again, as carefully as here; the calls that went well are expected again, with the same arguments. Ids and moments may differ."
      submit="Make the case"
      action={make}
      onClose={onClose}
      onSubmit={(values) =>
        make.run({
          suiteId,
          suiteName: String(values.get("name") ?? ""),
          title: String(values.get("title")),
        })
      }
    >
      <Field label="Title" name="title">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={caseLimits.titleLength}
            autoComplete="off"
            defaultValue={session.title ?? ""}
          />
        )}
      </Field>
      <Field label="Suite">
        {(control) => (
          <Select
            {...control}
            value={suiteId}
            onChange={(event) => setSuiteId(event.target.value)}
            options={[
              { value: "", label: "A new suite" },
              ...suites.map(({ id, name }) => ({ value: id, label: name ?? id })),
            ]}
          />
        )}
      </Field>
      {suiteId === "" && (
        <Field
          label="Name of the suite"
          name="name"
          hint="It runs as this conversation was held: its servers, client or environment, model and prompt."
        >
          {(control) => (
            <Input
              {...control}
              required
              maxLength={textLimits.nameLength}
              autoComplete="off"
              defaultValue="From the playground"
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

function Made({ session, made, onClose }: CaseDialogProps & { made: ChatSessionPromoted }) {
  return (
    <Dialog open onClose={onClose} title="The case is made">
      <p data-testid="case-made" data-suite={made.suiteId} data-case={made.case.id}>
        <strong className="font-medium">{made.case.title}</strong>{" "}
        {made.calls === 0
          ? "expects no call yet, because none went well."
          : `expects ${made.calls === 1 ? "one call" : `${made.calls} calls`} again.`}
      </p>
      {made.warnings.length > 0 && (
        <div data-testid="case-warnings" className="mt-3">
          <Notice kind="warn" title="A run of it may go otherwise">
            {made.warnings.map(({ code, message }) => (
              <p key={code}>{message}</p>
            ))}
          </Notice>
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <PageLink
          act
          page="eval-results"
          params={{ pid: session.projectId, suid: made.suiteId }}
          className={buttonClass("primary")}
        >
          Run the suite
        </PageLink>
      </DialogActions>
    </Dialog>
  );
}
