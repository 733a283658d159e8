/** @module Which topics a person may follow: what they may read, by the same rule that lets them read it. */
import { type Access, ApiError, access } from "@fettle/contract";
import type { App } from "../app.ts";
import { locate } from "./access.ts";
import type { SignedInCaller } from "./bind.ts";

/** More than any page shows at once. */
const mostTopics = 50;

const kinds: Record<string, { access: Access; parameter: string }> = {
  project: { access: access.project.read, parameter: "projectId" },
  organization: { access: access.organization.guest, parameter: "organizationId" },
};

/** The topics of a comma-separated list, each once. */
export function parseTopics(list: string): string[] {
  const topics = [...new Set(list.split(",").map((topic) => topic.trim()))].filter(Boolean);
  const unknown = topics.find((topic) => topic !== "account" && !isKnown(topic));
  if (unknown !== undefined || topics.length === 0 || topics.length > mostTopics) {
    throw new ApiError("VALIDATION_ERROR", `Name 1 to ${mostTopics} topics, such as project:ID.`, {
      path: "query.topics",
      ...(unknown !== undefined && { topic: unknown }),
    });
  }
  return topics;
}

function isKnown(topic: string): boolean {
  const [kind = "", id = "", ...rest] = topic.split(":");
  return Object.hasOwn(kinds, kind) && /^[\w.-]{1,100}$/.test(id) && rest.length === 0;
}

/** Throws 404 when one of them is not theirs to see. */
export async function requireTopics(app: App, caller: SignedInCaller, topics: string[]): Promise<void> {
  for (const topic of topics) {
    const [kind = "", id = ""] = topic.split(":");
    const wanted = kinds[kind];
    if (wanted)
      await locate(app.pool, wanted.access, caller, { params: { [wanted.parameter]: id }, query: {} });
  }
}

/** A page says `account` for its own; inside, each person's is a topic of its own. */
export function innerTopic(topic: string, { userId }: SignedInCaller): string {
  return topic === "account" ? `account:${userId}` : topic;
}

export function outerTopic(topic: string): string {
  return topic.startsWith("account:") ? "account" : topic;
}
