/** @module What the specification recommends: told, and counted with a few points, but never a failure. */
import { counted } from "@fettle/contract/formats";
import { isObject } from "@fettle/mcp";
import type { Adviser } from "../../verdict/advise.ts";
import { everyRevision, spec, stateful, statefulHttp, stateless } from "../../verdict/specification.ts";
import { errorOf, resultOf } from "../conversation/exchange.ts";
import { isText } from "../conversation/verdicts.ts";
import { speaksOlder } from "../envelope/checks.ts";
import { namesOf, objectsOf } from "../lists/observe.ts";
import type { ProtocolFacts } from "../protocol-check.ts";
import { missingUri } from "../reading/observe.ts";
import type { ProtocolSeen } from "../seen.ts";
import { wireAdvice } from "../wire/checks.ts";

type ProtocolAdviser = Adviser<ProtocolSeen, ProtocolFacts>;

const isStateless = ({ era }: ProtocolFacts) => era === "stateless";
const isHttp = ({ transport }: ProtocolFacts) => transport === "streamable-http";

export const protocolAdvice: readonly ProtocolAdviser[] = [
  {
    id: "readiness-tool-order-deterministic",
    title: "Lists tools in the same order",
    rules: [
      ...spec("inferred", stateful, "Listing tools", "server/tools#listing-tools"),
      ...spec("SHOULD", stateless, "Capabilities", "server/tools#capabilities"),
    ],
    needs: ["tools", "toolsAgain"],
    advise({ tools, toolsAgain }) {
      const first = namesOf({ ...tools, items: itemsOf(tools.pages[0], tools.member) });
      const second = namesOf({ ...tools, items: itemsOf(toolsAgain, tools.member) });
      // Tools may have come or gone in between; the order of the others still tells.
      const before = JSON.stringify(first.filter((name) => second.includes(name)));
      const after = JSON.stringify(second.filter((name) => first.includes(name)));
      return before === after
        ? undefined
        : { message: "Two listings of the tools differ in order; caches of prompts break on that." };
    },
  },
  {
    id: "readiness-metadata-quality",
    title: "Describes itself",
    rules: spec("MAY", everyRevision, "Tool", "server/tools#tool"),
    needs: ["opening", "tools"],
    advise({ opening, tools }, { era }) {
      const mute = objectsOf(tools).filter(({ description }) => !isText(description));
      const info =
        era === "stateless" && isObject(opening.result?._meta)
          ? opening.result._meta["io.modelcontextprotocol/serverInfo"]
          : opening.result?.serverInfo;
      const isNamed = isObject(info) && isText(info.name);
      const faults = [
        ...(mute.length > 0 ? [`${counted(mute.length, "tool")} without a description`] : []),
        ...(isNamed ? [] : ["the server does not say its name"]),
      ];
      return faults.length === 0
        ? undefined
        : { message: `${faults.join(", ")}.`, details: { tools: mute.slice(0, 10).map(({ name }) => name) } };
    },
  },
  {
    id: "readiness-deprecated-feature-use",
    title: "Uses nothing that is on its way out",
    rules: spec("SHOULD", stateless, "Deprecated features", "deprecated"),
    needs: ["opening"],
    advise({ opening }, { version }) {
      const capabilities = isObject(opening.result?.capabilities) ? opening.result.capabilities : {};
      return capabilities.logging === undefined
        ? undefined
        : { message: `It advertises logging, which ${version} deprecates.` };
    },
  },
  {
    id: "readiness-cache-ttl-useful",
    title: "Lets lists be cached",
    rules: spec("inferred", stateless, "Time to live", "server/utilities/caching#time-to-live-ttl-field"),
    appliesTo: isStateless,
    needs: ["tools"],
    advise({ tools }) {
      const [first] = tools.pages;
      return first && resultOf(first)?.ttlMs === 0
        ? { message: "tools/list says ttlMs 0: every client asks again every time." }
        : undefined;
    },
  },
  {
    id: "readiness-oauth-iss-advertised",
    title: "The authorization server names itself in answers",
    rules: spec(
      "SHOULD",
      stateless,
      "Authorization response validation",
      "basic/authorization#authorization-response-validation",
    ),
    appliesTo: isHttp,
    needs: ["guardianMetadata"],
    advise({ guardianMetadata }) {
      if (!guardianMetadata) return undefined;
      const { issuer, metadata } = guardianMetadata;
      return metadata.authorization_response_iss_parameter_supported === true
        ? undefined
        : { message: `${issuer} does not advertise authorization_response_iss_parameter_supported.` };
    },
  },
  {
    id: "readiness-parse-error-handling",
    title: "Refuses broken JSON",
    rules: [
      ...spec("SHOULD", statefulHttp, "Messages", "basic#messages"),
      ...spec("SHOULD", stateless, "Messages", "basic#messages"),
    ],
    appliesTo: isHttp,
    needs: ["brokenBody"],
    advise({ brokenBody: { status, codes } }) {
      return status < 300 && !codes.includes(-32700)
        ? { message: `A body that is no JSON was answered with HTTP ${status} and no -32700.` }
        : undefined;
    },
  },
  {
    id: "readiness-session-termination",
    title: "Takes the end of a session well",
    rules: spec("inferred", statefulHttp, "Session management", "basic/transports#session-management"),
    appliesTo: (facts) => isHttp(facts) && !isStateless(facts),
    needs: ["endedSession"],
    advise({ endedSession: { deleteStatus } }) {
      return deleteStatus !== undefined && deleteStatus >= 500
        ? { message: `DELETE of a session was answered with HTTP ${deleteStatus}.` }
        : undefined;
    },
  },
  {
    id: "readiness-session-termination",
    title: "Refuses what older clients send",
    rules: spec(
      "SHOULD",
      stateless,
      "Earlier Streamable HTTP revisions",
      "basic/transports/streamable-http#earlier-streamable-http-revisions",
    ),
    appliesTo: (facts) => isHttp(facts) && isStateless(facts),
    needs: ["oldHabits", "opening"],
    advise({ oldHabits, opening }, { version }) {
      // One that also serves an older revision has its own use for them.
      if (speaksOlder(opening, version)) return undefined;
      const served = Object.entries(oldHabits).filter(([, status]) => status !== 405);
      return served.length === 0
        ? undefined
        : {
            message: `Older clients should get 405: ${served.map(([method, status]) => `${method.toUpperCase()} got ${status}`).join(", ")}.`,
          };
    },
  },
  {
    id: "readiness-resource-error-echoes-uri",
    title: "Says which resource is missing",
    rules: spec("inferred", stateless, "Error handling", "server/resources#error-handling"),
    appliesTo: isStateless,
    needs: ["missingResource"],
    advise({ missingResource }) {
      const error = missingResource && errorOf(missingResource);
      return !error || (isObject(error.data) && error.data.uri === missingUri)
        ? undefined
        : { message: "The error for a missing resource does not name its URI in data.uri." };
    },
  },
  ...wireAdvice,
];

function itemsOf(page: ProtocolSeen["toolsAgain"] | undefined, member: string): unknown[] {
  const items = page && resultOf(page)?.[member];
  return Array.isArray(items) ? items : [];
}
