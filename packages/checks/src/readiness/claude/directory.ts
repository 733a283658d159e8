/** @module The Claude connector directory: its lanes, stages and rules. */
import { isObject } from "@fettle/mcp";
import type { Directory } from "../directory.ts";
import type { ReadinessEvidence } from "../evidence.ts";
import { badge, notEvaluated, type ReadinessVerdict, satisfied, verdictOf, violated } from "../rule.ts";
import { guardOf, listOf, ofServer } from "../server-facts.ts";
import { endpointRules, rulesOf } from "../shared-rules.ts";
import { claudeAppRules } from "./app-rules.ts";
import { claudeAuthRules, scopeFaults } from "./auth-rules.ts";
import { claudeSnapshot, claudeSource } from "./source.ts";
import { claudeSubmissionRules } from "./submission-rules.ts";
import { claudeToolRules } from "./tool-rules.ts";

const badges = rulesOf(
  {
    lane: "optional-features",
    class: "experimental-feature",
    provenance: "wire",
    intrusiveness: "passive",
    source: claudeSource("authentication", "Authentication"),
  } as const,
  [
    {
      id: "claude.features.lazy-authentication",
      title: "Asks for a sign-in only when a tool needs one",
      judge: ofServer((server) => {
        const guard = guardOf(server);
        if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
        return guard.is === "open" && server.probe.oauth.optional
          ? badge("supported", "It lets strangers in, and says how to sign in.")
          : badge("unsupported", guard.is === "open" ? "There is no sign-in." : "It asks at once.");
      }),
    },
    {
      id: "claude.features.enterprise-managed-auth",
      title: "Takes grants of an organization's own identity provider",
      judge: ofServer((server) => {
        const guard = guardOf(server);
        if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
        const [first] = server.issuers;
        if (first && "unreached" in first) return notEvaluated("authorizationServer", first.unreached);
        const metadata =
          first && "metadata" in first && isObject(first.metadata) ? first.metadata : undefined;
        if (!metadata) return badge("unsupported", "There is no authorization server.");
        const takesGrants = listOf(metadata.grant_types_supported).includes(
          "urn:ietf:params:oauth:grant-type:jwt-bearer",
        );
        return takesGrants
          ? badge("claimed", "It advertises the grant; nobody tried.")
          : badge("unsupported", "It does not advertise the grant.");
      }),
    },
  ],
);

/** What leaves something behind is judged only with a grant of one's own. */
function ofOwnGrant(
  judge: (given: NonNullable<ReadinessEvidence["intrusive"]>) => ReadinessVerdict | undefined,
) {
  return ({ intrusive }: ReadinessEvidence): ReadinessVerdict => {
    if (!intrusive?.enabled) return notEvaluated("intrusive", "Nobody asked for it.");
    if (intrusive.grantOrigin === "borrowed") {
      return notEvaluated("intrusive", "A borrowed token is never used for this.");
    }
    if (intrusive.clientId === undefined) return notEvaluated("intrusive", "It takes a client id.");
    return judge(intrusive) ?? notEvaluated("intrusive", "It was not tried.");
  };
}

const intrusiveRules = rulesOf(
  {
    lane: "runtime-compatibility",
    class: "required",
    provenance: "wire",
    intrusiveness: "side-effecting",
    requiresCapabilities: ["intrusive-probes"],
    optIn: "intrusive",
    source: claudeSource("authentication", "Authentication"),
  } as const,
  [
    {
      id: "claude.intrusive.dynamic-registration",
      title: "A client that registers gets what it asked for",
      judge: ofOwnGrant(({ registration }) =>
        registration === undefined
          ? undefined
          : registration.status === 201 && registration.redirectUris.length > 0
            ? satisfied()
            : violated(`Registration is answered with ${registration.status}.`),
      ),
    },
    {
      id: "claude.intrusive.refresh-rotation",
      title: "A refresh token that was replaced is refused",
      judge: ofOwnGrant(({ refresh }) =>
        refresh === undefined
          ? undefined
          : refresh.rotated && !refresh.oldRefused
            ? violated("The old refresh token still works.")
            : satisfied(),
      ),
    },
    {
      id: "claude.intrusive.step-up-challenge",
      title: "A tool that needs more asks for it in a way that can be answered",
      judge: ofOwnGrant(({ stepUp }) =>
        stepUp === undefined
          ? undefined
          : verdictOf([
              ...(stepUp.status === 403 ? [] : [`It answers ${stepUp.status} instead of 403.`]),
              ...scopeFaults(stepUp.wwwAuthenticate),
            ]),
      ),
    },
  ],
);

export const claudeDirectory: Directory = {
  kind: "claude",
  title: "Claude connector directory",
  policySnapshotDate: claudeSnapshot,
  rules: [
    ...endpointRules("claude.endpoint", claudeSource("building", "Transport and authentication")),
    ...claudeAuthRules,
    ...claudeToolRules,
    ...claudeAppRules,
    ...badges,
    ...claudeSubmissionRules,
    ...intrusiveRules,
  ],
  lanes: () => [
    "runtime-compatibility",
    "directory-policy",
    "optional-features",
    "submission-artifacts",
    "experience-insights",
  ],
  stages: () => [
    { stage: "technical-preflight", lanes: ["runtime-compatibility", "directory-policy"] },
    {
      stage: "submission-ready",
      lanes: ["runtime-compatibility", "directory-policy", "submission-artifacts"],
    },
  ],
};
