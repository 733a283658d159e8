/** @module Below a widget: what it said and heard, what its policy grants, and what the browser refused it. */
import type { RenderedWidget } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { WidgetServer } from "../../api/widget-server.ts";
import { JsonView } from "../json-view/json-view.tsx";
import { VisibleText } from "../visible-text.tsx";
import type { WidgetMessage } from "./bridge.ts";
import type { WidgetState } from "./widget-state.ts";

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
      <Policy server={server} rendered={rendered} />
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

/** Asked for when somebody looks: a browser tells of what it refused a moment after it did. */
function Policy({ server, rendered }: Pick<WidgetDetailsProps, "server" | "rendered">) {
  const { granted, dropped, header } = rendered.policy;
  return (
    <Fold title={`Policy${dropped.length > 0 ? ` (${dropped.length} not granted)` : ""}`}>
      {() => (
        <>
          {dropped.map(({ list, entry, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one entry may be declared twice.
            <p key={at}>
              <code className="text-code">
                <VisibleText text={entry} />
              </code>{" "}
              in {list} {reason}.
            </p>
          ))}
          <JsonView
            value={{ ...granted.sources, permissions: granted.permissions }}
            label="granted"
            openDepth={2}
          />
          <pre className="whitespace-pre-wrap break-all text-code">{header}</pre>
          <Refusals server={server} id={rendered.id} />
        </>
      )}
    </Fold>
  );
}

function Refusals({ server, id }: { server: WidgetServer; id: string }) {
  const { data } = useQuery({
    queryKey: ["listWidgetRefusals", server.id, id],
    queryFn: ({ signal }) => server.refusals(id, signal),
  });
  if (!data) return null;
  if (data.items.length === 0) return <p className="text-soft">The browser refused it nothing.</p>;
  return (
    <ul aria-label="Refused by the browser">
      {data.items.map(({ directive, blocked }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end.
        <li key={at}>
          <code className="text-code">{directive}</code> refused{" "}
          <code className="text-code">
            <VisibleText text={blocked} />
          </code>
        </li>
      ))}
    </ul>
  );
}
