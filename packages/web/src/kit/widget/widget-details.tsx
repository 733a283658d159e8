/** @module Below a widget: what it said and heard, what its policy grants, and what the browser refused it. */
import type { RenderedWidget, WidgetRefusals } from "@fettle/contract/widgets";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { WidgetServer } from "../../api/widget-server.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { JsonView } from "../json-view/json-view.tsx";
import { VisibleText } from "../visible-text.tsx";
import type { WidgetMessage } from "./bridge.ts";
import { evaluatesCode, policyRows, wholeDeclaration } from "./policy-rows.ts";
import type { WidgetState } from "./widget-state.ts";

type Refusals = WidgetRefusals["items"];

export interface WidgetDetailsProps {
  server: WidgetServer;
  rendered: RenderedWidget;
  state: WidgetState;
}

export function WidgetDetails({ server, rendered, state }: WidgetDetailsProps) {
  const { said, modelContext, messages } = state;
  return (
    <div className="stack gap-2 text-sm">
      {said.length > 0 && (
        <Fold title={`Said in the conversation (${said.length})`} startsOpen>
          {() =>
            said.map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: said once, never changed.
              <p key={at} className="whitespace-pre-wrap">
                <VisibleText text={text} />
              </p>
            ))
          }
        </Fold>
      )}
      {modelContext && (
        <Fold title="What the model is told">
          {() => <JsonView value={modelContext} label="model context" openDepth={2} />}
        </Fold>
      )}
      <Fold title={`Messages of the widget (${messages.length})`}>
        {() =>
          messages.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike in all they say.
            <Message key={at} entry={entry} />
          ))
        }
      </Fold>
      {/* A widget that did not begin may have been refused what it needs: that is then to be seen at once. */}
      <Policy key={state.state} server={server} rendered={rendered} startsOpen={state.state === "error"} />
    </div>
  );
}

interface FoldProps {
  title: ReactNode;
  startsOpen?: boolean;
  /** Made when somebody looks. */
  children: () => ReactNode;
}

function Fold({ title, startsOpen = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-[4px] text-soft">{title}</summary>
      {isOpen && <div className="stack mt-2 gap-2">{children()}</div>}
    </details>
  );
}

function Message({ entry: { from, message } }: { entry: WidgetMessage }) {
  const { method, id } = message;
  const word =
    typeof method === "string"
      ? method
      : `${"error" in message ? "error" : "answer"} of ${JSON.stringify(id)}`;
  const title = (
    <>
      {from === "host" ? "to the widget" : "from the widget"}{" "}
      <code className="text-code">
        <VisibleText text={word} />
      </code>
    </>
  );
  return <Fold title={title}>{() => <JsonView value={message} label="message" openDepth={2} />}</Fold>;
}

/** What was asked for, what of it is granted, and what the browser refused all the same: a list for each. */
function Policy({
  server,
  rendered,
  startsOpen,
}: Pick<WidgetDetailsProps, "server" | "rendered"> & { startsOpen: boolean }) {
  const { dropped, header } = rendered.policy;
  return (
    <Fold
      startsOpen={startsOpen}
      title={`Policy${dropped.length > 0 ? ` (${dropped.length} not granted)` : ""}`}
    >
      {() => (
        <>
          <PolicyTable server={server} rendered={rendered} />
          {dropped.map(({ list, entry, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one entry may be declared twice.
            <p key={at}>
              <code className="text-code">
                <VisibleText text={entry} />
              </code>{" "}
              in {list} {reason}.
            </p>
          ))}
          <pre className="wrap-anywhere whitespace-pre-wrap text-code">{header.split("; ").join(";\n")}</pre>
        </>
      )}
    </Fold>
  );
}

/** Asked for when somebody looks: a browser tells of what it refused a moment after it did. */
function PolicyTable({ server, rendered }: Pick<WidgetDetailsProps, "server" | "rendered">) {
  const { data } = useQuery({
    queryKey: ["listWidgetRefusals", server.id, rendered.id],
    queryFn: ({ signal }) => server.refusals(rendered.id, signal),
  });
  const refusals = data?.items ?? [];
  return (
    <div className="stack gap-3 overflow-x-auto">
      {evaluatesCode(refusals) && (
        <Notice kind="warn" title="The document evaluates code, and may not">
          It calls eval, new Function or the like. Nothing that a server can declare in MCP Apps allows that,
          so it fails in every host that adds nothing of its own; the document has to do without.
        </Notice>
      )}
      <table className="w-full text-left" aria-label="Policy of the widget">
        <thead className="text-soft">
          <tr>
            {["", "Declared", "Granted", "Refused by the browser"].map((title) => (
              <th key={title} scope="col" className="py-1 pr-4 font-medium">
                {title || <span className="sr-only">List</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {policyRows(rendered.policy, refusals).map(({ list, ...cells }) => (
            <tr key={list} className="border-line border-t align-top">
              <th scope="row" className="py-1 pr-4 font-normal">
                {list}
              </th>
              {Object.entries(cells).map(([name, texts]) => (
                <td key={name} className="break-all py-1 pr-4 text-code">
                  {texts.length === 0 ? <span className="text-soft">none</span> : texts.map(line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Declaration rendered={rendered} refusals={refusals} />
    </div>
  );
}

/** To be pasted into the server, where that would mend what was refused. */
function Declaration({ rendered, refusals }: { rendered: RenderedWidget; refusals: Refusals }) {
  const declaration = wholeDeclaration(rendered.policy, refusals);
  if (!declaration) return null;
  const text = JSON.stringify({ _meta: declaration }, null, 2);
  return (
    <section aria-label="What the resource would have to declare" className="stack gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>To let through what was refused, the resource declares:</p>
        <CopyButton text={text} label="Copy the declaration" small />
      </div>
      <pre className="whitespace-pre-wrap break-all rounded-control bg-sunken p-3 text-code">{text}</pre>
    </section>
  );
}

const line = (text: string) => (
  <code key={text} className="block">
    <VisibleText text={text} />
  </code>
);
