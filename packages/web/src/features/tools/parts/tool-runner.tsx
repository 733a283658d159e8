/** @module One tool: what it says, its arguments, and its latest result. */
import { escapeHidden, type ProjectServer } from "@fettle/contract";
import { Play, Square } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useRef, useState, useSyncExternalStore } from "react";
import { checkAgainst, type SchemaFault, type ValueCheck } from "../../../kit/check-schema.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { NotCheckedParts } from "../../../kit/not-checked-parts.tsx";
import { type FormState, pathKey } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { missingParts } from "../../../kit/schema-form/value.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Kbd } from "../../../ui/kbd.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { callTool, type Tool } from "../queries.ts";
import { answered, beginCall, callsOf, endCall, failed } from "../tool-calls.ts";
import { hintsOf, titleOf } from "../tool-hints.ts";

/** Shown below the form, and empty until the first call: the form need not wait for it. */
const ToolResult = lazy(async () => ({ default: (await import("./tool-result.tsx")).ToolResult }));

export interface ToolRunnerProps {
  server: ProjectServer;
  tool: Tool;
  state: FormState;
  onState: (state: FormState) => void;
  mode: FormMode;
  onMode: (mode: FormMode) => void;
}

export function ToolRunner({ server, tool, state, onState, mode, onMode }: ToolRunnerProps) {
  const calls = useSyncExternalStore(callsOf(server.id).subscribe, callsOf(server.id).get);
  const latest = calls.find(({ toolName }) => toolName === tool.name);
  const running = useRef<AbortController>(null);
  const [doubts, setDoubts] = useState<SchemaFault[]>([]);
  const [check, setCheck] = useState<ValueCheck>();
  const offline = useWriteBlock();
  const isRunning = latest?.outcome.state === "running";
  const drafts = Object.values(state.drafts);
  const value = state.value ?? {};
  const blocked =
    drafts.length > 0
      ? "A field holds text that is no value yet."
      : isJsonObject(value)
        ? offline
        : "Arguments are an object.";

  useCommandFacts({ tool: tool.name, arguments: escapeHidden(JSON.stringify(value)) });

  const send = async () => {
    if (blocked || isRunning || !isJsonObject(value)) return;
    setDoubts([]);
    running.current = new AbortController();
    const { signal } = running.current;
    const id = beginCall(server.id, tool.name, value);
    try {
      const { result, durationMs } = await callTool(
        { projectId: server.projectId, serverId: server.id },
        tool.name,
        value,
        signal,
      );
      endCall(server.id, id, answered(result, durationMs));
    } catch (error) {
      endCall(server.id, id, failed(error, signal.aborted));
    }
  };
  /** The schema's word is advice: wrong input may be just what someone wants to try. */
  const run = async () => {
    if (blocked || isRunning) return;
    setCheck(undefined);
    const missing = missingParts(tool.inputSchema, tool.inputSchema, value).map((path) => ({
      at: path.join("."),
      message: "is required and not filled in.",
    }));
    if (missing.length > 0) return setDoubts(missing);
    const checked = await checkAgainst(tool.inputSchema, value);
    setCheck(checked);
    if (checked.kind === "checked" && checked.faults.length > 0) setDoubts(checked.faults);
    else await send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run();
  };

  return (
    <>
      <Panel
        title={tool.name}
        about={titleOf(tool)}
        aside={
          <span className="flex flex-wrap justify-end gap-1">
            {hintsOf(tool).map(({ word, tone, about }) => (
              <Chip key={word} plain tone={tone} title={about}>
                {word}
              </Chip>
            ))}
          </span>
        }
        footer={
          <>
            <span>
              <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> runs it
            </span>
            {isRunning ? (
              <Button
                icon={<Square aria-hidden="true" className="size-3.5" />}
                onClick={() => running.current?.abort()}
              >
                Stop waiting
              </Button>
            ) : (
              <Button
                look="primary"
                aria-disabled={blocked ? true : undefined}
                title={blocked}
                icon={<Play aria-hidden="true" className="size-3.5" />}
                onClick={() => void run()}
              >
                Run
              </Button>
            )}
          </>
        }
      >
        <form
          noValidate
          aria-label={`Arguments of ${tool.name}`}
          className="stack gap-5"
          onKeyDown={onKeyDown}
          onSubmit={(event) => event.preventDefault()}
        >
          {typeof tool.description === "string" && (
            <p className="max-w-[70ch] whitespace-pre-line text-soft">
              <VisibleText text={tool.description} />
            </p>
          )}
          <SchemaForm
            label="Arguments"
            schema={tool.inputSchema}
            state={state}
            mode={mode}
            onMode={onMode}
            onChange={(next) => {
              setDoubts([]);
              setCheck(undefined);
              onState(next);
            }}
          />
          {drafts.length > 0 && !state.drafts[pathKey([])] && (
            <Notice kind="bad">
              {drafts.map(({ path }) => path.join(".")).join(", ")}: the text there is no value yet, so
              nothing can be sent.
            </Notice>
          )}
          {doubts.length > 0 && (
            <Notice kind="warn" role="alert" title="The schema disagrees">
              <ul className="mb-2">
                {doubts.map(({ at, message }) => (
                  <li key={`${at} ${message}`}>
                    {at && <code className="mr-1 text-code">{at}</code>}
                    {message}
                  </li>
                ))}
              </ul>
              <Button onClick={() => void send()}>Send anyway</Button>
            </Notice>
          )}
          {check?.kind === "unusable" && (
            <Notice kind="warn" title="The arguments were not checked">
              <p>
                The schema <VisibleText text={check.why} />.
              </p>
            </Notice>
          )}
          {check?.kind === "checked" && check.unchecked.length > 0 && (
            <NotCheckedParts title="Not all of the schema was checked" parts={check.unchecked} />
          )}
        </form>
        <details className="mt-5">
          <summary className="w-fit rounded-[4px] text-sm text-soft">
            Definition as the server sent it
          </summary>
          <div className="mt-2">
            <JsonView value={tool} label="definition" openDepth={2} />
          </div>
        </details>
      </Panel>
      <Suspense>
        <ToolResult tool={tool} outcome={latest?.outcome} />
      </Suspense>
    </>
  );
}
