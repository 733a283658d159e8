/** @module The words of user testing: who may open a scenario, how an answer is rated, why a visitor is turned away. Free of zod, for pages. */
import { userTestingLimits } from "../../core/limits/user-testing.ts";

/** From the narrowest to the widest. */
export const scenarioModes = ["project_members", "invited_only", "anyone_with_link"] as const;
export type ScenarioMode = (typeof scenarioModes)[number];

/** How visitors say what an answer was worth: not at all, one to five, or good and bad. */
export const feedbackStyles = ["off", "stars", "thumbs"] as const;
export type FeedbackStyle = (typeof feedbackStyles)[number];

/** How a rating was given; it keeps this when the scenario later asks in another way. */
export const ratingStyles = ["stars", "thumbs"] as const;
export type RatingStyle = (typeof ratingStyles)[number];

/**
 * @example
 * ratingText(1, "thumbs") // "Good"
 * ratingText(1, "stars") // "1 of 5"
 */
export function ratingText(value: number, style: RatingStyle): string {
  if (style === "stars") return `${value} of ${userTestingLimits.stars}`;
  return value > 0 ? "Good" : "Bad";
}

/** @example isBadRating(2, "stars") // true */
export function isBadRating(value: number, style: RatingStyle): boolean {
  return style === "stars" ? value <= 2 : value === 0;
}

/** Real visitors, or those that were made to try things out. */
export const populations = ["real", "synthetic"] as const;
export type Population = (typeof populations)[number];

/** Why a session is over. */
export const sessionEnds = ["visitor", "idle", "access", "erased"] as const;
export type SessionEnd = (typeof sessionEnds)[number];

/** By itself, because a page says it too. */
export const linkInvalid = "This link does not work any more. Ask whoever gave it to you for a new one";

/** Why a visitor is turned away, as `details.code`, in words that a stranger can read. */
export const visitRefusals = {
  LINK_INVALID: linkInvalid,
  SIGN_IN_NEEDED: "This test is for people who are signed in",
  NOT_INVITED: "This test is for invited people, and your address is not among them",
  NOT_A_PROJECT_MEMBER: "This test is for the people of its project",
  VISIT_NEEDED: "Open the link that was given to you",
  ACCESS_ENDED: "The people who run this test have changed who may take part",
  GUESTS_OFF: "This test takes no guests at the moment",
  CONSENT_NEEDED: "Agree to the test first",
  SESSION_OVER: "This conversation is over",
  TOO_MANY_TURNS_IN_SESSION: "This conversation has been as long as it may be",
  TOO_MANY_SESSIONS: "You have begun as many conversations today as you may",
  VISITOR_TOO_FAST: "You have written much in a short time. Wait a minute, then send this again",
  SCENARIO_BUSY: "Many people are taking part at the moment",
  DAILY_CAP_REACHED: "This test has used up what it may for today. It goes on tomorrow",
  BEHIND_FAILED: "What is being tested did not answer. Try again, or tell whoever gave you the link",
  SIGN_IN_ELSEWHERE: "What is being tested wants a sign-in of its own, which this page cannot do",
  FEEDBACK_OFF: "This test asks for no ratings",
  TURN_NOT_STORED: "This answer is not stored yet",
  NO_WIDGET: "There is no widget to show here",
  WIDGET_TOO_FAST: "The widget asks for much in a short time. Wait a minute",
  WIDGET_TOOL_MISSING: "What is being tested has no such tool",
  WIDGET_ONLY_READS: "A widget may only look things up here, and this tool may change something",
  WIDGET_OTHER_DOCUMENT: "A widget reads only its own documents here, and those its result links to",
} as const;
export type VisitRefusal = keyof typeof visitRefusals;
