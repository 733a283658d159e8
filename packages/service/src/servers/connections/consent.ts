/** @module A request as its consent page shows it, and the choice of a project made there. */

import { isIP } from "node:net";
import type { OrganizationId, ProjectId, ServerId } from "@fettle/contract/core";
import type { AddressWarning, ConnectionConsent } from "@fettle/contract/servers";
import { isLoopbackHost } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { missing } from "../../core/routing/not-found.ts";
import { findProject as requireProject } from "../../http/caller/access.ts";
import { listOrganizations } from "../../people/accounts/organizations/store.ts";
import { findPerson } from "../../people/accounts/sign-in/store.ts";
import { hashToken, recogniseToken } from "../../people/accounts/tokens.ts";
import { findProject } from "../../people/projects/store.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { goOn } from "./discovery.ts";
import { savedServer } from "./reach.ts";
import { moved, toShown, wrongState } from "./requests.ts";
import { openPart } from "./sealed.ts";
import * as store from "./store.ts";
import { requireTarget } from "./target.ts";

/** Says no more than whose the link is: what is behind it needs that account. */
export async function readLink(
  app: App,
  token: string,
): Promise<{ connectionRequestId: string; account: { email: string } }> {
  const isOurs = recogniseToken(token) === "connection";
  const row = isOurs ? await store.findByHandoff(app.db, hashToken(token)) : undefined;
  const person = row && (await findPerson(app.db, row.userId));
  if (!row || !person) throw missing("This link is not valid.", "Start the connection again.");
  return { connectionRequestId: row.id, account: { email: person.email } };
}

export async function toConsent(app: App, row: store.ShownRow): Promise<ConnectionConsent> {
  const project = row.projectId === null ? undefined : await findProject(app.db, row.projectId);
  const { plan } = row;
  return {
    ...toShown(row),
    project: project ? { id: project.id, name: project.name } : null,
    askedBy: { keyOrganization: await keyOrganization(app, row) },
    warnings: addressWarnings(row.shownUrl),
    authorization: plan && {
      issuer: plan.issuer,
      scopes: plan.scope === undefined ? [] : plan.scope.split(" "),
      claimsClientSecret: await claimsClientSecret(app, row),
    },
  };
}

async function claimsClientSecret(app: App, row: store.ShownRow): Promise<boolean> {
  const server = await savedServer(app, row);
  if (!server?.settings.clientId) return false;
  const { clientSecret, clientSecretIssuer } = openEndpoint(app.vault, server);
  return clientSecret !== undefined && clientSecretIssuer === undefined;
}

/** A key sees only its organization, so what it asked for can only go there. */
async function keyOrganization(
  app: App,
  { userId, organizationId }: store.ShownRow,
): Promise<{ id: OrganizationId; name: string } | null> {
  if (organizationId === null) return null;
  const [organization] = await listOrganizations(app.db, userId, organizationId);
  return { id: organizationId, name: organization?.name ?? "an organization you have left" };
}

/** What a person should see before they trust an address. */
export function addressWarnings(shownUrl: string): AddressWarning[] {
  const url = new URL(shownUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isOwnMachine = isLoopbackHost(url.hostname);
  const found: [AddressWarning, boolean][] = [
    ["plain_http", url.protocol === "http:" && !isOwnMachine],
    ["ip_address", isIP(host) !== 0 && !isOwnMachine],
    // Letters of other scripts can draw the name of a host that is well known.
    ["look_alike", host.split(".").some((label) => label.startsWith("xn--"))],
    ["hidden_query", url.search !== ""],
  ];
  return found.filter(([, applies]) => applies).map(([warning]) => warning);
}

export async function chooseProject(
  app: App,
  row: store.ShownRow,
  choice: { projectId: ProjectId; serverId?: ServerId | undefined },
): Promise<ConnectionConsent> {
  const { projectId } = choice;
  await requireProject(app.pool, { userId: row.userId, boundTo: row.organizationId }, projectId);
  if (row.status !== "awaiting_project") throw wrongState(row.status);
  const { url } = openPart(app.vault, row);
  const serverId = await requireTarget(app, projectId, url, choice.serverId);
  await moved(app, row, (tx) => goOn(app, tx, { ...row, projectId, serverId }));
  return toConsent(app, stillThere(await store.findRequest(app.db, row.id)));
}
