/** @module What the authorization server must refuse: strangers, other redirects, stolen and used codes, weak proofs. */
import { couldNotRun, failed, notApplicable, passed, type Verdict } from "../verdict/check-result.ts";
import {
  isPassing,
  mcp,
  needsCodes,
  needsConsent,
  type OauthCheck,
  rfc,
  type SeenVerdict,
  type SeenWalk,
} from "./oauth-check.ts";

export const grantChecks: OauthCheck[] = [
  {
    id: "oauth_dcr_http_redirect_uri",
    title: "A redirect over plain http is not registered",
    description: "Registering http://evil.example/callback is refused.",
    category: "grant",
    rules: [
      ...mcp("MUST", ["2025-06-18", "2025-11-25"], "Communication Security"),
      ...mcp("MUST", ["2025-03-26"], "Security Considerations"),
      ...mcp("MUST", ["2026-07-28"], "Communication Security", "basic/authorization/security-considerations"),
    ],
    unless: (facts) => needsConsent(facts),
    needs: ["evilRegistration"],
    judge: ({ evilRegistration }, { registration }) => {
      if (!evilRegistration) return notApplicable("The authorization server registers no clients by itself.");
      const { status, accepted, words } = evilRegistration;
      if (accepted) return failed("A client with a redirect over plain http was registered.", { status });
      if (isPassing(status) || status >= 500)
        return couldNotRun(`The registration endpoint answers ${status}.`);
      // It registered us a moment ago; only the redirect was another one.
      if (registration === "dcr" || mentionsRedirect(words)) return passed({ status });
      return notApplicable("Registration is refused to us for another reason.");
    },
  },
  {
    id: "oauth_invalid_client",
    title: "An unknown client gets no token",
    description: "A token request with a client id that never was is refused.",
    category: "grant",
    rules: [rfc("MUST", 6749, "5.2")],
    needs: ["unknownClient"],
    judge: ({ unknownClient }) => refusal(unknownClient, "A client that never was"),
  },
  {
    id: "oauth_invalid_authorize_redirect",
    title: "Nobody is sent to a redirect that is not registered",
    description: "An authorization request with another redirect_uri does not lead there.",
    category: "grant",
    rules: [rfc("MUST", 6749, "3.1.2.4")],
    unless: needsConsent,
    needs: ["badRedirect"],
    judge: ({ badRedirect }) =>
      refusedWalk(badRedirect, "The browser is sent to a redirect that was not registered."),
  },
  {
    id: "oauth_invalid_redirect",
    title: "A code is not traded for another redirect",
    description: "A token request whose redirect_uri is not that of the authorization request is refused.",
    category: "grant",
    rules: [rfc("SHOULD", 6749, "4.1.3")],
    unless: needsCodes,
    needs: ["otherRedirect"],
    judge: ({ otherRedirect }) => refusal(otherRedirect, "A code with another redirect_uri"),
  },
  {
    id: "oauth_pkce_wrong_verifier",
    title: "A stolen code is worthless",
    description: "A code with a wrong code_verifier is refused.",
    category: "grant",
    rules: [rfc("MUST", 7636, "4.6")],
    unless: needsCodes,
    needs: ["wrongVerifier"],
    judge: ({ wrongVerifier }) => refusal(wrongVerifier, "A code with a wrong code_verifier"),
  },
  {
    id: "oauth_pkce_missing_verifier",
    title: "A code without its proof is refused",
    description: "A code that was asked for with a code_challenge is not traded without a code_verifier.",
    category: "grant",
    rules: [rfc("MUST", 7636, "4.6")],
    unless: needsCodes,
    needs: ["missingVerifier"],
    judge: ({ missingVerifier }) => refusal(missingVerifier, "A code without its code_verifier"),
  },
  {
    id: "oauth_pkce_plain_refused",
    title: "The weak proof is refused",
    description: "code_challenge_method=plain protects nothing, and is refused unless it is advertised.",
    category: "grant",
    rules: [rfc("SHOULD", 7636, "4.4.1")],
    unless: needsCodes,
    needs: ["plainChallenge"],
    judge: ({ plainChallenge }, { server }) => {
      const methods = server.code_challenge_methods_supported;
      if (plainChallenge.hasCode && Array.isArray(methods) && methods.includes("plain")) {
        return {
          is: "passed",
          warnings: [
            { word: "SHOULD", message: "plain is advertised and accepted; only S256 protects the code." },
          ],
        };
      }
      if (plainChallenge.hasCode)
        return failed("A plain challenge is accepted, though it is not advertised.");
      return refusedQuestion(plainChallenge, "A plain challenge is accepted.");
    },
  },
  {
    id: "oauth_cimd_http_client_id",
    title: "A metadata document over plain http makes no client",
    description: "A client id that is an http address is refused.",
    category: "grant",
    rules: [
      ...mcp("MUST", ["2025-11-25"], "Client ID Metadata Documents"),
      ...mcp(
        "MUST",
        ["2026-07-28"],
        "Client ID Metadata Documents",
        "basic/authorization/client-registration",
      ),
    ],
    unless: (facts) =>
      facts.registration === "cimd" ? needsCodes(facts) : "The client is not known by a metadata document.",
    needs: ["plainHttpClient"],
    judge: ({ plainHttpClient }) =>
      refusedQuestion(plainHttpClient, "A client known by a document over plain http is accepted."),
  },
  {
    id: "oauth_token_format",
    title: "The token's answer has the right form",
    description: "access_token and token_type are texts, expires_in is a number when it is there.",
    category: "grant",
    rules: [rfc("MUST", 6749, "5.1")],
    needs: ["tokenShape"],
    judge: ({ tokenShape }) => {
      const { access_token, token_type, expires_in } = tokenShape;
      const faults = [
        ...(access_token === "string" ? [] : [`access_token is ${access_token ?? "missing"}`]),
        ...(token_type === "string" ? [] : [`token_type is ${token_type ?? "missing"}`]),
        ...(expires_in === undefined || expires_in === "number" ? [] : [`expires_in is a ${expires_in}`]),
      ];
      if (faults.length > 0) return failed(`${faults.join("; ")}.`, tokenShape);
      return expires_in === undefined
        ? {
            is: "passed",
            details: tokenShape,
            warnings: [{ word: "SHOULD", message: "The answer does not say when the token ends." }],
          }
        : passed(tokenShape);
    },
  },
  {
    id: "oauth_refresh_rotation",
    title: "A refresh token works, and not once more when it was replaced",
    description: "Spends refresh tokens of its own; only when asked for.",
    category: "grant",
    rules: [
      ...mcp("SHOULD", ["2025-03-26"], "Security Considerations"),
      ...mcp("MUST", ["2025-06-18", "2025-11-25"], "Token Theft"),
      ...mcp("MUST", ["2026-07-28"], "Token Theft", "basic/authorization/security-considerations"),
    ],
    unless: (facts) =>
      facts.mayRefresh ? needsCodes(facts) : "It spends refresh tokens, and was not asked for.",
    needs: ["refresh"],
    judge: ({ refresh }, { isPublic }) => {
      if (!refresh) return notApplicable("The authorization server gives no refresh token.");
      const { fresh, works, spent } = refresh;
      if (!fresh.accepted) {
        return isPassing(fresh.status)
          ? couldNotRun(`The token endpoint answers ${fresh.status}.`)
          : failed(`A good refresh token is refused with ${fresh.status}.`, { ...fresh });
      }
      if (works && (works.status < 200 || works.status > 299)) {
        return failed(`The server answers ${works.status} to the renewed token.`, { status: works.status });
      }
      if (!spent) {
        return isPublic
          ? failed("Refresh tokens of a public client are not replaced.")
          : passed({ replaced: false });
      }
      return refusal(spent, "A refresh token that was replaced");
    },
  },
  {
    id: "oauth_code_replay",
    title: "A code works once",
    description: "The second use of an authorization code is refused.",
    category: "grant",
    rules: [rfc("MUST", 6749, "4.1.2")],
    unless: needsCodes,
    needs: ["replay"],
    // It may revoke what others still use.
    isLast: true,
    judge: ({ replay: { first, second } }) =>
      first.accepted
        ? refusal(second, "A code that was used already")
        : couldNotRun(`The first use of the code was refused with ${first.status}.`),
  },
];

function refusal({ status, accepted, error }: SeenVerdict, what: string): Verdict {
  if (accepted) return failed(`${what} is accepted: a token was given.`, { status });
  if (isPassing(status)) return couldNotRun(`The token endpoint answers ${status}.`);
  if (status >= 500) return failed(`${what} makes the token endpoint fail with ${status}.`, { status });
  return passed({ status, ...(error !== undefined && { error }) });
}

/** Coming back with an error is a refusal here. */
function refusedQuestion(walk: SeenWalk, fault: string): Verdict {
  return walk.error !== undefined && !walk.hasCode ? passed({ error: walk.error }) : refusedWalk(walk, fault);
}

/** Coming back at all is the fault. */
function refusedWalk({ kind, status, words, hasCode }: SeenWalk, fault: string): Verdict {
  if (kind === "came-back" || hasCode) return failed(fault);
  if (kind === "page" && !mentionsRedirect(words)) {
    return couldNotRun("The authorization server shows a page before it decides.", { status });
  }
  if (isPassing(status)) return couldNotRun(`The authorization endpoint answers ${status}.`);
  if (status >= 500) return failed(`The authorization endpoint fails with ${status}.`, { status });
  return passed({ status });
}

function mentionsRedirect(words: string): boolean {
  return /redirect/i.test(words);
}
