/** @module The inspector's own sample shop: open where nobody has saved a server yet, and there again on request. */
import { readAnswer } from "@fettle/contract/client";
import { must } from "@fettle/contract/formats";
import { localHeaders } from "../api/local.ts";
import { pagePath } from "../pages/pages.ts";

/** The one project there is on somebody's own machine. */
const pid = "proj_local";

/** Where the inspector begins: at the sample for a newcomer, else at the servers. */
export async function firstPlace() {
  const sid = await keepSample({ onlyFirstTime: true });
  return sid === null ? { to: pagePath("servers", { pid }) } : toolWithWidget(sid);
}

export async function samplePlace() {
  // Refused only to those who are no newcomers, where that was asked.
  return toolWithWidget(must(await keepSample({ onlyFirstTime: false }), "the sample"));
}

const toolWithWidget = (sid: string) => ({
  to: pagePath("server-tools", { pid, sid }),
  search: { tool: "show_bookshelf" },
});

async function keepSample(wanted: { onlyFirstTime: boolean }): Promise<string | null> {
  const response = await fetch("/api/mcp/sample", {
    method: "POST",
    headers: localHeaders(),
    body: JSON.stringify(wanted),
  });
  const { serverId } = (await readAnswer(response)) as { serverId: string | null };
  return serverId;
}
