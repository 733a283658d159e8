/** @module May those who listen still listen: one question for everyone whom the same event or the same tick makes ask. */

import { ApiError, type UserId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { askedTogether } from "../../core/asked-together.ts";
import { missing } from "../../core/routing/not-found.ts";
import { liveSessions } from "../../people/accounts/sign-in/sessions.ts";
import { standingOf } from "../../people/projects/standing.ts";
import { type ProjectTies, tiesSql } from "../../people/projects/standing-sql.ts";

/** One stream: whose it is, and what it follows. */
export interface Listening {
  sessionId: string;
  userId: UserId;
  topics: readonly string[];
}

export interface Audience {
  /**
   * Throws 401 when the session has ended, 404 when one of the topics is not, or no longer, theirs to see. Everything that
   * was committed before it was called counts.
   */
  require(listening: Listening): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Asks whether those who follow streams still may. */
    audience: Audience;
  }
}

interface Known {
  sessions: Set<string>;
  /** `user topic` of all that was asked about and may be seen. */
  seen: Set<string>;
}

type Sources = Pick<App, "pool" | "now">;

/**
 * Six hundred streams of one project ask three statements per event together, not three each.
 *
 * @example
 * const audience = createAudience(app);
 * await audience.require({ sessionId, userId, topics: ["project:prj_1"] });
 */
export function createAudience(sources: Sources): Audience {
  const ask = askedTogether((asking: readonly Listening[]) => read(sources, asking));
  return {
    async require(listening) {
      const { sessions, seen } = await ask(listening);
      if (!sessions.has(listening.sessionId)) throw new ApiError("UNAUTHORIZED", "This session has ended.");
      const unseen = listening.topics.find(
        (topic) => topic !== "account" && !seen.has(`${listening.userId} ${topic}`),
      );
      if (unseen)
        throw missing(
          `There is no such ${unseen.split(":")[0]}.`,
          "Follow what you may see: list your projects and organizations.",
        );
    },
  };
}

async function read(sources: Sources, asking: readonly Listening[]): Promise<Known> {
  const pairs = new Map<string, { kind: string; id: string; userId: UserId }>();
  for (const { userId, topics } of asking) {
    for (const topic of topics) {
      const [kind = "", id = ""] = topic.split(":");
      pairs.set(`${userId} ${topic}`, { kind, id, userId });
    }
  }
  const of = (wanted: string) => [...pairs.values()].filter(({ kind }) => kind === wanted);
  const [sessions, projects, organizations] = await Promise.all([
    liveSessions(sources, [...new Set(asking.map(({ sessionId }) => sessionId))]),
    seenProjects(sources, of("project")),
    ownOrganizations(sources, of("organization")),
  ]);
  return { sessions, seen: new Set([...projects, ...organizations]) };
}

interface Pair {
  id: string;
  userId: UserId;
}

const columnsOf = (pairs: Pair[]) => [pairs.map(({ id }) => id), pairs.map(({ userId }) => userId)];

async function seenProjects({ pool }: Sources, pairs: Pair[]): Promise<string[]> {
  if (pairs.length === 0) return [];
  const { rows } = await pool.query<ProjectTies & Pair>({
    name: "find_project_standings",
    text: `
      SELECT asked.id, asked.user_id AS "userId", ties.*
      FROM unnest($1::text[], $2::text[]) AS asked (id, user_id)
      CROSS JOIN LATERAL (${tiesSql({ project: "asked.id", user: "asked.user_id", boundTo: "NULL::text" })}) AS ties`,
    values: columnsOf(pairs),
  });
  return rows.filter((ties) => standingOf(ties).isVisible).map(({ id, userId }) => `${userId} project:${id}`);
}

async function ownOrganizations({ pool }: Sources, pairs: Pair[]): Promise<string[]> {
  if (pairs.length === 0) return [];
  const { rows } = await pool.query<Pair>({
    name: "find_own_organizations",
    text: `
      SELECT asked.id, asked.user_id AS "userId"
      FROM unnest($1::text[], $2::text[]) AS asked (id, user_id)
      JOIN organization_members AS member
        ON member.organization_id = asked.id AND member.user_id = asked.user_id`,
    values: columnsOf(pairs),
  });
  return rows.map(({ id, userId }) => `${userId} organization:${id}`);
}
