/** @module One request of a sign-in and its answer, headers and bodies, credentials masked. */
import type { ServerSignIn } from "@fettle/contract/servers";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { tryParse } from "../../../lib/json-exact.ts";

type Exchange = ServerSignIn["stages"][number]["steps"][number]["exchanges"][number];

export function ExchangeView({ exchange }: { exchange: Exchange }) {
  const { method, url, status, statusText = "", error, endMs } = exchange;
  const answer = status === undefined ? (error?.code ?? "no answer") : `${status} ${statusText}`.trim();
  return (
    <details data-testid="sign-in-exchange" className="rounded-control border border-line bg-sunken">
      <summary className="flex flex-wrap items-baseline gap-x-2 px-3 py-1.5 font-mono text-code">
        <span className="font-medium">{method}</span>
        <span className="min-w-0 flex-1 break-all">{url}</span>
        <span className="shrink-0">{answer}</span>
        {endMs !== undefined && <span className="shrink-0 text-faint">{Math.round(endMs)} ms</span>}
      </summary>
      <div className="grid gap-4 border-line border-t p-3 md:grid-cols-2">
        <Side name="Sent" headers={exchange.requestHeaders} body={exchange.requestBody} />
        <Side name="Received" headers={exchange.responseHeaders ?? {}} body={exchange.responseBody} />
        {error && (
          <p className="break-words text-bad text-sm">
            <VisibleText text={error.message} />
          </p>
        )}
      </div>
    </details>
  );
}

interface SideProps {
  name: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function Side({ name, headers, body }: SideProps) {
  return (
    <div className="stack min-w-0 content-start gap-2">
      <p className="font-medium text-faint text-xs">{name}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono text-code">
        {Object.entries(headers).map(([header, value]) => (
          <div key={header} className="contents">
            <dt className="text-faint">{header}</dt>
            <dd className="break-all">
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      <Body name={name} text={body} />
    </div>
  );
}

function Body({ name, text }: { name: string; text: string | undefined }) {
  if (!text) return null;
  const parsed = tryParse(text);
  if (parsed.ok) return <JsonView value={parsed.value} label={`${name} body`} openDepth={4} />;
  return (
    <pre className="whitespace-pre-wrap break-all font-mono text-code">
      <VisibleText text={text} />
    </pre>
  );
}
