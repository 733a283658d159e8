/** @module What an MCP server answered instead of a result: its own code, words and data, or what is wrong with its answer. */
import type { ApiError } from "@fettle/contract/core";
import { AskedAddress } from "./asked-address.tsx";
import { VisibleText } from "./visible-text.tsx";

/** By which a server says that an address is to be opened first, and the same asked again then. */
const addressFirst = -32042;

/** Whether what was asked can be asked again once the person has been where the server sends them. */
export function wantsAddress({ details }: Pick<ApiError, "details">): boolean {
  const rpc = details?.rpc;
  return typeof rpc === "object" && rpc !== null && "code" in rpc && rpc.code === addressFirst;
}

function addressesIn(data: unknown): { url: string; message: unknown }[] {
  const { elicitations } = (data ?? {}) as { elicitations?: unknown };
  return (Array.isArray(elicitations) ? elicitations : []).flatMap((each: unknown) => {
    const { url, message } = (each ?? {}) as { url?: unknown; message?: unknown };
    return typeof url === "string" ? [{ url, message }] : [];
  });
}

export function ServerAnswer({ failure: { details } }: { failure: Pick<ApiError, "details"> }) {
  const { rpc, problem } = details ?? {};
  if (typeof problem === "string")
    return (
      <p data-testid="server-answer">
        <VisibleText text={problem} />
      </p>
    );
  if (typeof rpc !== "object" || rpc === null) return null;
  const { code, message, data, dataCut } = rpc as Record<string, unknown>;
  const addresses = code === addressFirst ? addressesIn(data) : [];
  return (
    <div data-testid="server-answer" className="max-w-full">
      <p>
        It answered <code>{String(code)}</code>: <VisibleText text={String(message)} />
      </p>
      {addresses.map(({ url, message }) => (
        <div key={url} className="mt-3">
          <AskedAddress message={message} address={url} />
        </div>
      ))}
      {data !== undefined && addresses.length === 0 && (
        <pre className="mt-1 max-h-60 overflow-auto whitespace-pre-wrap break-words text-left font-mono text-code">
          <VisibleText text={typeof data === "string" ? data : JSON.stringify(data, null, 2)} />
          {dataCut === true && " …"}
        </pre>
      )}
    </div>
  );
}
