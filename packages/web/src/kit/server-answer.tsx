/** @module What an MCP server answered instead of a result: its own code, words and data, or what is wrong with its answer. */
import type { ApiError } from "@fettle/contract";
import { VisibleText } from "./visible-text.tsx";

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
  return (
    <div data-testid="server-answer" className="max-w-full">
      <p>
        It answered <code>{String(code)}</code>: <VisibleText text={String(message)} />
      </p>
      {data !== undefined && (
        <pre className="mt-1 max-h-60 overflow-auto whitespace-pre-wrap break-words text-left font-mono text-code">
          <VisibleText text={typeof data === "string" ? data : JSON.stringify(data, null, 2)} />
          {dataCut === true && " …"}
        </pre>
      )}
    </div>
  );
}
