/** @module What sign-ins named as their resource, from what the OAuth suite recorded of them. */
import { isObject } from "@fettle/mcp";
import type { AuthorizationRequest } from "./evidence.ts";

/**
 * Of a result of `oauth conformance`, as it prints it; undefined when it holds no sign-in.
 *
 * @example
 * authorizationRequestsOf(JSON.parse(await readFile("oauth.json", "utf8"))) // [{ authorize: "https://…", token: "https://…" }]
 */
export function authorizationRequestsOf(result: unknown): AuthorizationRequest[] | undefined {
  const requests = runsIn(result).flatMap((steps): AuthorizationRequest[] => {
    const attempts = steps.flatMap((step) => (Array.isArray(step.httpAttempts) ? step.httpAttempts : []));
    const sent = attempts.filter(isObject);
    const asked = sent.flatMap(({ url }) => {
      const query = URL.parse(String(url))?.searchParams;
      return query?.get("response_type") === "code" ? [query.get("resource")] : [];
    });
    const redeemed = sent.flatMap(({ requestBody }) => {
      const form = new URLSearchParams(typeof requestBody === "string" ? requestBody : "");
      return form.get("grant_type") === "authorization_code" ? [form.get("resource")] : [];
    });
    if (asked.length === 0 && redeemed.length === 0) return [];
    const [authorize, token] = [asked[0], redeemed[0]];
    return [
      { ...(typeof authorize === "string" && { authorize }), ...(typeof token === "string" && { token }) },
    ];
  });
  return requests.length > 0 ? requests : undefined;
}

type Step = Record<string, unknown>;

/** One run has steps; a suite of them has a run each. */
function runsIn(result: unknown): Step[][] {
  if (!isObject(result)) return [];
  if (Array.isArray(result.steps)) return [result.steps.filter(isObject)];
  return Object.values(result).flatMap((value) => (Array.isArray(value) ? value.flatMap(runsIn) : []));
}
