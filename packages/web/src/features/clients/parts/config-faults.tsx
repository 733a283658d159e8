/** @module What the service found wrong in a config, each fault with its place. */
import type { ApiError } from "@fettle/contract/core";
import { fieldErrors } from "../../../api/failure.ts";
import { Notice } from "../../../ui/notice.tsx";

export function ConfigFaults({ failure }: { failure: ApiError | null }) {
  const faults = Object.entries(fieldErrors(failure)).filter(([at]) => at.startsWith("config"));
  if (faults.length === 0) return null;
  return (
    <Notice kind="bad" title="The config is not one">
      <ul>
        {faults.map(([at, message]) => (
          <li key={at}>
            <code className="mr-1 text-code">{at.replace(/^config\.?/, "") || "config"}</code>
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
