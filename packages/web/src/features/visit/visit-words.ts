/** @module What visitors are told when they cannot go on, and who answers them. Free of names that a stranger cannot know. */
import type { ApiError } from "@fettle/contract/core";
import { linkInvalid, type SessionEnd, type VisitRefusal } from "@fettle/contract/visitors";
import type { StateName } from "../../kit/state-view.tsx";

const rulesModel = "fettle/rules-1";

/**
 * @example
 * answererText("fettle/rules-1") // "A small set of rules answers, not a language model. …"
 */
export function answererText(model: string | null): string {
  if (model === null) return "It is not settled yet which model answers.";
  if (model === rulesModel)
    return "A small set of rules answers, not a language model. It finds words and looks things up; it understands nothing.";
  return `The language model ${model} answers. It can be wrong.`;
}

/**
 * @example
 * inLineText(2) // "Many people are taking part. 2 messages are answered before yours."
 */
export function inLineText(ahead: number): string {
  const many = "Many people are taking part.";
  if (ahead === 0) return `${many} Your message is next.`;
  return `${many} ${ahead === 1 ? "1 message is" : `${ahead} messages are`} answered before yours.`;
}

interface Refused {
  state: StateName;
  title: string;
  text: string;
}

const refusals: { [Code in VisitRefusal]?: { state: StateName; title: string } } = {
  LINK_INVALID: { state: "gone", title: "A new link is needed" },
  SIGN_IN_NEEDED: { state: "forbidden", title: "Sign in to take part" },
  NOT_INVITED: { state: "forbidden", title: "You are not on the list" },
  NOT_A_PROJECT_MEMBER: { state: "forbidden", title: "This test is for other people" },
  VISIT_NEEDED: { state: "gone", title: "Open the link you were given" },
  ACCESS_ENDED: { state: "session-ended", title: "This test is over for you" },
  GUESTS_OFF: { state: "forbidden", title: "No guests at the moment" },
  TOO_MANY_SESSIONS: { state: "rate-limited", title: "Enough for today" },
  DAILY_CAP_REACHED: { state: "rate-limited", title: "Enough for today" },
};

const askWhom = "Ask whoever gave you the link.";

/** Undefined for what trying again may help with, and for faults of ours. */
export function refusedText({ code, message, details }: ApiError): Refused | undefined {
  // Longer than any of ours: cut wrongly out of a letter, or put together by hand.
  if (details?.path === "body.linkToken") {
    return { state: "gone", title: "A new link is needed", text: `${linkInvalid}.` };
  }
  const reason = String(details?.code ?? "");
  const known = refusals[reason as VisitRefusal];
  if (known) {
    const who = typeof details?.email === "string" ? ` You are signed in as ${details.email}.` : "";
    const whom = message.includes("whoever") || known.state === "rate-limited" ? "" : ` ${askWhom}`;
    return { ...known, text: `${message}${who}${whom}` };
  }
  // What is wrong behind it is for those who run it.
  if (code === "CONFLICT" || code === "FEATURE_NOT_SUPPORTED" || code === "VALIDATION_ERROR") {
    const text = `What is being tested is not ready to be used. Try again later, or tell whoever gave you the link.`;
    return { state: "final", title: "Not available right now", text };
  }
  return undefined;
}

export const endings: Record<SessionEnd, { title: string; text: string }> = {
  visitor: {
    title: "Thank you",
    text: "Your conversation is over. What you said helps to make this better.",
  },
  idle: {
    title: "This conversation has ended",
    text: "Nobody has written for half an hour. Thank you for taking part.",
  },
  access: {
    title: "This test is over for you",
    text: "The people who run it have changed who may take part, and your conversation has ended. Thank you for what you have tried.",
  },
  erased: {
    title: "Erased",
    text: "What you said is gone. Only that there was a conversation is still counted.",
  },
};
