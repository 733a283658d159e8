/** @module How the MCP server guards itself: the challenge it gives, the tokens and sessions it refuses. */
import { challengeProblems, checkResource, isObject, oauthVersions } from "@fettle/mcp";
import { couldNotRun, failed, notApplicable, passed, type Verdict } from "../verdict/check-result.ts";
import { findingUnless } from "../verdict/rule.ts";
import {
  isPassing,
  mcp,
  needsCodes,
  type OauthCheck,
  type OauthFacts,
  onePage,
  rfc,
  type SeenAnswer,
  type SeenAudience,
  sinceResources,
} from "./oauth-check.ts";

export const serverChecks: OauthCheck[] = [
  {
    id: "oauth_unauthenticated_challenge",
    title: "A request without a token is answered with a challenge",
    description: "401 with a challenge (Bearer) in WWW-Authenticate, never a server error.",
    category: "server",
    rules: [rfc("MUST", 6750, "3")],
    needs: ["postWithoutToken"],
    judge: ({ postWithoutToken }) => judgeChallenge(postWithoutToken),
  },
  {
    id: "oauth_challenge_on_get",
    title: "A GET without a token is answered with the same challenge",
    description: "The stream that clients open by GET is guarded like everything else.",
    category: "server",
    rules: mcp("MUST", oauthVersions, "Error Handling"),
    needs: ["getWithoutToken"],
    judge: ({ getWithoutToken: { status, ...rest } }) =>
      // A server without such a stream need not say more than that.
      status === 405 || status === 404 || status === 406
        ? notApplicable(`The server answers GET with ${status}: there is nothing to guard.`)
        : judgeChallenge({ status, ...rest }),
  },
  {
    id: "oauth_resource_metadata_challenge",
    title: "The challenge says where the resource's metadata is",
    description:
      "resource_metadata holds an absolute address; from 2025-11-25 on a well-known document will do.",
    category: "server",
    rules: [
      ...mcp("MUST", ["2025-06-18"], "Authorization Server Location"),
      ...mcp("MUST", ["2025-11-25"], "Protected Resource Metadata Discovery Requirements"),
      ...mcp(
        "MUST",
        ["2026-07-28"],
        "Protected Resource Metadata Discovery Requirements",
        "basic/authorization/authorization-server-discovery",
      ),
    ],
    needs: ["postWithoutToken", "wellKnownResource"],
    judge: ({ postWithoutToken, wellKnownResource }, { version, serverUrl }) => {
      const pointer = postWithoutToken.challenge?.resourceMetadata;
      if (pointer !== undefined) {
        const [problem] = challengeProblems(postWithoutToken.challenge);
        return problem ? failed(problem.message, { pointer }) : passed({ pointer });
      }
      if (version < "2025-11-25") return failed("The challenge has no resource_metadata.");
      const { body, contentType, url } = wellKnownResource ?? {};
      const names = isObject(body) && typeof body.resource === "string" ? body.resource : undefined;
      const isOurs = names !== undefined && checkResource(names, serverUrl).state === "valid";
      if (!isOurs || contentType !== "application/json") {
        return failed(
          "The challenge has no resource_metadata, and no well-known document names this server.",
        );
      }
      return {
        is: "passed",
        details: { url },
        warnings: [
          {
            word: "inferred",
            message: "The challenge has no resource_metadata; only the well-known document says where.",
          },
        ],
      };
    },
  },
  {
    id: "oauth_invalid_token",
    title: "A token that never was is refused",
    description: "A made-up bearer token is answered with 401.",
    category: "server",
    rules: mcp("MUST", oauthVersions, "Token Handling"),
    needs: ["bogusToken"],
    judge: ({ bogusToken: { status } }) => {
      if (isPassing(status)) return couldNotRun(`The server answers ${status}.`);
      return status === 401
        ? passed({ status })
        : failed(`A made-up token is answered with ${status}, not 401.`, { status });
    },
  },
  {
    id: "oauth_audience_mismatch",
    title: "A token for another resource is refused",
    description: "A token that the same authorization server made for somebody else opens nothing here.",
    category: "server",
    rules: mcp("MUST", sinceResources, "Token Handling"),
    unless: (facts) => (facts.authMode === "client_credentials" ? undefined : needsCodes(facts)),
    needs: ["otherAudience"],
    judge: ({ otherAudience }, facts) => {
      if (!otherAudience) {
        return notApplicable("The authorization server gives no token for a resource it does not know.");
      }
      const { status } = otherAudience;
      if (isPassing(status)) return couldNotRun(`The server answers ${status}.`);
      const { doubt, ...seen } = whoseToken(otherAudience, facts);
      const details = { status, ...seen };
      // Without a name on the token, only a refusal says something: what is missing then is not a scope.
      if (doubt !== undefined && (seen.audience || status !== 401)) return couldNotRun(doubt, details);
      if (status !== 401 && status !== 403) {
        return failed(`A token made for another resource is answered with ${status}.`, details);
      }
      // Refused all the same, with the code that means something else.
      const warnings = findingUnless(status === 401, "SHOULD", "It is refused with 403; 401 is due.");
      return { ...passed(details), ...(warnings.length > 0 && { warnings }) };
    },
  },
  {
    id: "oauth_stale_session_rejection",
    title: "A session that never was is refused in order",
    description:
      "An unknown Mcp-Session-Id with a good token is answered with 404, never with a server error.",
    category: "server",
    rules: mcp("inferred", onePage, "Session Management", "basic/transports"),
    needs: ["staleSession"],
    judge: ({ staleSession: { status, isMcp } }) => {
      if (isPassing(status)) return couldNotRun(`The server answers ${status}.`);
      if (status >= 500) return failed(`An unknown session is answered with ${status}.`, { status });
      if (status < 400) return notApplicable("The server does not look at session ids.");
      const warnings = [
        ...findingUnless(
          status === 404,
          "inferred",
          `It is answered with ${status}; 404 tells a client to begin anew.`,
        ),
        ...findingUnless(isMcp, "inferred", "The answer is no JSON-RPC message."),
      ];
      return { is: "passed", details: { status }, ...(warnings.length > 0 && { warnings }) };
    },
  },
  {
    id: "oauth_insufficient_scope_challenge",
    title: "A missing scope is named",
    description:
      "A 403 for want of scope says so: a challenge with error=insufficient_scope and the scope to ask for.",
    category: "server",
    rules: [
      rfc("SHOULD", 6750, "3.1", ["2025-03-26", "2025-06-18"]),
      ...mcp("SHOULD", ["2025-11-25", "2026-07-28"], "Runtime Insufficient Scope Errors"),
    ],
    needs: [],
    judge: (_seen, { flow }) => {
      const refused = flow.steps.flatMap(({ exchanges }) => exchanges).find(({ status }) => status === 403);
      if (!refused) return notApplicable("No request of this run was refused for want of scope.");
      const challenge = refused.responseHeaders?.["www-authenticate"] ?? "";
      if (!/\binsufficient_scope\b/.test(challenge)) {
        return failed("A 403 came without a challenge that says insufficient_scope.", { challenge });
      }
      return /\bscope\s*=/.test(challenge)
        ? passed({ challenge })
        : {
            is: "passed",
            details: { challenge },
            warnings: [{ word: "SHOULD", message: "The challenge does not name the scope to ask for." }],
          };
    },
  },
];

function judgeChallenge({ status, challenge, wwwAuthenticate }: SeenAnswer): Verdict {
  if (isPassing(status)) return couldNotRun(`The server answers ${status}.`);
  if (status >= 500) return failed(`Without a token the server answers ${status}.`, { status });
  if (status < 300) return notApplicable("The server asks for no token here.");
  if (status !== 401) return failed(`Without a token the server answers ${status}, not 401.`, { status });
  return challenge
    ? passed({ wwwAuthenticate })
    : failed("The 401 carries no challenge of the scheme Bearer.", {
        status,
        wwwAuthenticate: wwwAuthenticate ?? null,
      });
}

/** `doubt`: why it is not known that the token is somebody else's. */
function whoseToken(
  { asked, audience, own }: SeenAudience,
  { flow, serverUrl }: OauthFacts,
): { doubt?: string; audience?: readonly string[]; readFrom?: string } {
  if ("unknown" in audience) return { doubt: `Whom the token is for is not known: ${audience.unknown}.` };
  const here = [serverUrl, flow.plan.resource];
  const owned = "audience" in own ? own.audience : [];
  const names = audience.audience;
  const isElsewhere = (name: string) => checkResource(name, serverUrl).state === "incompatible";
  // The second: the authorization server writes addresses on its tokens, and this one is of another server.
  const isKnown =
    share(names, [asked]) || (share(owned, here) && !share(names, owned) && names.every(isElsewhere));
  if (isKnown && !share(names, here)) return audience;
  const made = names.join(", ");
  const doubt = share(names, [...here, ...owned])
    ? `The authorization server ignored \`resource\` and issued a token for ${made}, so this server couldn't be tested with another server's token.`
    : `The token is for ${made}, not for the requested resource. That may be another name of this server, so it couldn't be tested with another server's token.`;
  return { ...audience, doubt };
}

function share(some: readonly string[], others: readonly (string | undefined)[]): boolean {
  // Addresses are the same with and without a slash at the end.
  const bare = (address = "") => address.replace(/\/$/, "");
  return some.some((name) => others.some((other) => bare(other) === bare(name)));
}
