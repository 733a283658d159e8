/** @module One exchange: request and answer as JSON, and the HTTP that carried them. */
import { X } from "lucide-react";
import type { WireHttp } from "../../../api/traffic.ts";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { ExchangeRow } from "../exchanges.ts";

export function ExchangeDetail({ row, onClose }: { row: ExchangeRow; onClose: () => void }) {
  const all = { request: row.request, answer: row.answer, http: row.http };
  return (
    <section aria-label="Message" className="flex min-h-0 min-w-0 flex-1 flex-col border-line sm:border-l">
      <header className="flex h-9 shrink-0 items-center gap-2 border-line border-b px-3">
        <p className="min-w-0 flex-1 truncate font-medium font-mono text-code">
          <VisibleText text={row.method} />
        </p>
        <CopyButton small label="Copy message" text={JSON.stringify(all, null, 2)} />
        <IconButton label="Close message" onClick={onClose}>
          <X aria-hidden="true" className="size-3.5" />
        </IconButton>
      </header>
      <div className="stack min-h-0 flex-1 content-start gap-4 overflow-y-auto p-3 text-sm">
        {row.text !== undefined && (
          <pre className="whitespace-pre-wrap break-words font-mono text-code">
            <VisibleText text={row.text} />
          </pre>
        )}
        {row.request !== undefined && (
          <Part title={row.kind === "request" ? "Request" : "Message"} value={row.request} label="message" />
        )}
        {row.answer !== undefined && <Part title="Answer" value={row.answer} label="answer" />}
        {row.http.map((each) => (
          <Exchange key={`${each.at} ${each.method}`} http={each} />
        ))}
      </div>
    </section>
  );
}

function Part({ title, value, label }: { title: string; value: Json; label: string }) {
  return (
    <div className="stack gap-1">
      <h2 className="font-medium">{title}</h2>
      <JsonView value={value} label={label} openDepth={6} />
    </div>
  );
}

function Exchange({ http }: { http: WireHttp }) {
  const { status, statusText = "", error } = http;
  return (
    <div className="stack gap-1" data-testid="http-exchange">
      <h2 className="font-medium">
        HTTP{" "}
        <span className="font-mono text-code">
          {http.method} {status === undefined ? (error?.code ?? "no answer") : `${status} ${statusText}`}
        </span>
      </h2>
      <p className="break-all font-mono text-code text-faint">{http.url}</p>
      <Headers title="Sent" headers={http.requestHeaders} />
      <Headers title="Received" headers={http.responseHeaders ?? {}} />
      {error && (
        <p className="text-bad">
          <VisibleText text={error.message} />
        </p>
      )}
    </div>
  );
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl
      aria-label={`${title} headers`}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono text-code"
    >
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="break-all">
            <VisibleText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
