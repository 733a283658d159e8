/** @module One entry of a server's history with its recording; a call is made again, edited, saved, or made a case of a suite. */
import type { RanAgain, ServerHistoryDetail } from "@fettle/contract/servers";
import { callKinds } from "@fettle/contract/servers";
import { useState } from "react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject, type Json, tryParse } from "../../../lib/json-exact.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { Fact, FactList } from "../../../ui/fact-list.tsx";
import { Field } from "../../../ui/field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { Time } from "../../../ui/time.tsx";
import { kindWords } from "../history-words.ts";
import { Comparison } from "./comparison.tsx";
import { CaseOfCallDialog, SaveCallDialog } from "./entry-dialogs.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";

export function EntryView({ projectId, entry }: { projectId: string; entry: ServerHistoryDetail }) {
  const isCall = callKinds.some((kind) => kind === entry.kind);
  return (
    <>
      <FactList>
        <Fact name="What">
          {kindWords[entry.kind]}{" "}
          {entry.subject && (
            <code className="text-code">
              <VisibleText text={entry.subject} />
            </code>
          )}
        </Fact>
        <Fact name="Outcome">
          <span className="flex flex-wrap items-center gap-2">
            <OutcomeChip outcome={entry.outcome} /> {entry.code}
          </span>
        </Fact>
        <Fact name="Said">
          <VisibleText text={entry.summary} />
        </Fact>
        <Fact name="When">
          <Time at={entry.at} />, {entry.durationMs} ms{entry.by && `, by ${entry.by.name}`}
        </Fact>
        {entry.runId && (
          <Fact name="Report">
            <PageLink
              page="conformance-run"
              params={{ pid: projectId, rid: entry.runId }}
              className="text-accent-text underline"
            >
              The conformance run
            </PageLink>
          </Fact>
        )}
      </FactList>
      {isCall && <MakeAgain projectId={projectId} entry={entry} />}
      <Panel title="Result" about={entry.isResultCut ? "It was too long to be kept." : undefined}>
        {/* As the service wrote it: JSON. */}
        <JsonView value={entry.result as Json} label="result" />
      </Panel>
      {entry.recording.length > 0 && (
        <Panel
          title="Messages"
          about={entry.messagesLeftOut > 0 ? `${entry.messagesLeftOut} were too long to be kept.` : undefined}
        >
          <JsonView
            openDepth={1}
            label="messages"
            value={entry.recording.map(({ direction, message }) => ({ [direction]: message as Json }))}
          />
        </Panel>
      )}
    </>
  );
}

function MakeAgain({ projectId, entry }: { projectId: string; entry: ServerHistoryDetail }) {
  const address = { projectId, serverId: entry.serverId };
  const [text, setText] = useState(() => JSON.stringify(entry.parameters ?? {}, null, 2));
  const [ran, setRan] = useState<RanAgain>();
  const [dialog, setDialog] = useState<"save" | "case">();
  const run = useChange("rerunServerHistoryEntry", setRan);
  const typed = tryParse(text);
  const parameters = typed.ok && isJsonObject(typed.value) ? typed.value : undefined;
  return (
    <Panel
      title="Make it again"
      about="The result is compared with this one, and kept beside it."
      footer={
        <span className="flex flex-wrap gap-2">
          <Button
            look="primary"
            busy={run.busy}
            disabled={!parameters}
            onClick={() => parameters && run.run({ ...address, entryId: entry.id, body: { parameters } })}
          >
            Run again
          </Button>
          <Button onClick={() => setDialog("save")}>Save call</Button>
          {entry.kind === "tool" && <Button onClick={() => setDialog("case")}>Make eval case</Button>}
        </span>
      }
    >
      <div className="stack gap-3">
        <Field
          label="Parameters"
          hint={
            entry.withheld.length > 0
              ? `Credentials are not kept; fill in ${entry.withheld.join(", ")}.`
              : parameters
                ? "As JSON"
                : "This is no JSON object."
          }
        >
          {(control) => (
            <Textarea
              {...control}
              rows={Math.min(12, text.split("\n").length + 1)}
              className="font-mono text-code"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <FormFailure failure={run.failure} />
        {ran && <Comparison ran={ran} />}
      </div>
      {dialog === "save" && (
        <SaveCallDialog address={address} entry={entry} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "case" && (
        <CaseOfCallDialog address={address} entry={entry} onClose={() => setDialog(undefined)} />
      )}
    </Panel>
  );
}
