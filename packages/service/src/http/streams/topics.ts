/** @module What a page may ask to hear about, and what that is called inside. Whether it may is asked of the audience. */
import { ApiError, limits, type UserId } from "@fettle/contract/core";

const kinds = ["project", "organization"];

/** The topics of a comma-separated list, each once. */
export function parseTopics(list: string): string[] {
  const topics = [...new Set(list.split(",").map((topic) => topic.trim()))].filter(Boolean);
  const unknown = topics.find((topic) => topic !== "account" && !isKnown(topic));
  const most = limits.streams.topics;
  if (unknown !== undefined || topics.length === 0 || topics.length > most) {
    throw new ApiError("VALIDATION_ERROR", `Name 1 to ${most} topics, such as project:ID.`, {
      path: "query.topics",
      ...(unknown !== undefined && { topic: unknown }),
    });
  }
  return topics;
}

function isKnown(topic: string): boolean {
  const [kind = "", id = "", ...rest] = topic.split(":");
  return kinds.includes(kind) && /^[\w.-]{1,100}$/.test(id) && rest.length === 0;
}

/** A page says `account` for its own; inside, each person's is a topic of its own. */
export function innerTopic(topic: string, { userId }: { userId: UserId }): string {
  return topic === "account" ? `account:${userId}` : topic;
}

export function outerTopic(topic: string): string {
  return topic.startsWith("account:") ? "account" : topic;
}
