/** @module Who is invited to a scenario. Each has a link of their own, which also lets in who has no account here. */

import { ApiError, limits, type ScenarioMemberId, type UserId } from "@fettle/contract/core";
import type { ScenarioMember } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { missing } from "../../core/routing/not-found.ts";
import { readPerson } from "../../people/accounts/sign-in/sign-in.ts";
import { sendEmail } from "../../people/mail/mail.ts";
import { linkPath, makeLink } from "./link.ts";
import { endAllSessions } from "./narrow-access.ts";
import { changing, toUserTestingScenario } from "./scenarios.ts";
import * as store from "./store.ts";

export async function listMembers(app: App, scenario: store.ScenarioRow): Promise<ScenarioMember[]> {
  const rows = await store.listMembers(app.db, scenario.id);
  return rows.map(({ id, email, createdAt, lastVisitAt }) => ({
    id,
    email,
    createdAt: createdAt.getTime(),
    lastVisitAt: lastVisitAt?.getTime() ?? null,
  }));
}

/** Somebody who is invited already stays so, with the link they have. */
export async function inviteMember(
  app: App,
  scenario: store.ScenarioRow,
  by: { userId: UserId; origin: string },
  { email, sendInviteEmail }: { email: string; sendInviteEmail: boolean },
) {
  return changing(app, scenario, async (tx, held) => {
    const before = await store.findMember(tx, scenario.id, { email });
    const most = limits.userTesting.scenarioMembers;
    if (!before && (await store.countMembers(tx, scenario.id)) >= most) {
      throw new ApiError("CONFLICT", `A scenario takes ${most} people.`, { code: "TOO_MANY_MEMBERS" });
    }
    const id = newId("scenarioMember", app.now());
    const member = await store.upsertMember(tx, {
      id,
      scenarioId: scenario.id,
      email,
      ...makeLink(app, `scenario_members/${id}`),
      createdBy: by.userId,
      createdAt: new Date(app.now()),
    });
    const path = linkPath(app, `scenario_members/${member.id}`, member);
    return {
      ...toUserTestingScenario(held),
      scenarioId: scenario.id,
      email,
      memberId: member.id,
      invited: sendInviteEmail && (await sendInvite(app, tx, held, by.userId, { email, path })),
      link: `${by.origin}${path}`,
    };
  });
}

/** By the address that letters name, not by the one this caller used. */
async function sendInvite(
  app: App,
  tx: Transaction,
  { name }: store.ScenarioRow,
  userId: UserId,
  { email, path }: { email: string; path: string },
): Promise<boolean> {
  const { mail } = app.config;
  if (!mail) return false;
  const { name: invitedBy } = await readPerson(app, userId);
  const facts = { scenario: name, invitedBy, url: `${mail.origin}${path}`, expiresAt: null };
  return sendEmail(app, tx, "scenario-invite", email, facts);
}

/** By id or address. Their link is dead, and what they had open is over. */
export async function removeMember(app: App, scenario: store.ScenarioRow, idOrEmail: string) {
  return changing(app, scenario, async (tx) => {
    const member =
      // Looked up as an id; what is none is not found.
      (await store.findMember(tx, scenario.id, { id: idOrEmail as ScenarioMemberId })) ??
      (await store.findMember(tx, scenario.id, { email: idOrEmail.trim().toLowerCase() }));
    if (!member)
      throw missing(
        "Nobody like that is invited to this scenario.",
        "Name the id or the address that the person was invited by.",
      );
    await store.deleteMember(tx, member.id);
    const updatedAt = new Date(app.now());
    const accessVersion = store.oneMore("accessVersion");
    const changed = await store.changeScenario(tx, scenario.id, { accessVersion, updatedAt });
    if (changed) await endAllSessions(app, tx, changed);
    return { scenarioId: scenario.id, projectId: scenario.projectId, removed: member.id };
  });
}
