/** @module Checks of how revisions are agreed on, and what is refused for lack of one. */
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { from, spec, stateful, stateless } from "../../verdict/specification.ts";
import { describeAnswer, errorOf, isForeign, resultOf, short } from "../conversation/exchange.ts";
import { refusedWith } from "../conversation/refusals.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import { neverVersion } from "../envelope/observe.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import { isSuccess } from "../transport/checks.ts";
import { offeredBy } from "./observe.ts";

const negotiation = spec("MUST", stateful, "Version negotiation", "basic/lifecycle#version-negotiation");

export const versionChecks: ProtocolCheck[] = [
  {
    id: "initialize-unknown-version",
    title: "Offers a revision it has",
    description:
      "A handshake that asks for a revision that never was is answered with one that there is, or with an error.",
    category: "core",
    rules: negotiation,
    needs: ["strangeOpening"],
    judge({ strangeOpening }) {
      const { exchange, result } = strangeOpening;
      // The page's own example of an error is this one.
      if (errorOf(exchange)) return judged([], [exchange]);
      if (typeof result?.protocolVersion !== "string") {
        return couldNotRun(
          `initialize was answered with ${describeAnswer(exchange)} that names no revision.`,
        );
      }
      const said = JSON.stringify(result.protocolVersion);
      return judged(
        faultUnless(
          offeredBy(strangeOpening) !== undefined,
          `asked for ${neverVersion}, it answered ${said}`,
        ),
        [exchange],
      );
    },
  },
  {
    id: "initialize-version-echo",
    title: "Keeps to the revision it offers",
    description:
      "A handshake that asks for the revision that the server itself offers is answered with the same one.",
    category: "core",
    rules: negotiation,
    needs: ["offeredOpening"],
    judge({ offeredOpening }) {
      if (!offeredOpening) return notApplicable("The server offers no revision of its own.");
      const { asked, opening } = offeredOpening;
      const { exchange, result } = opening;
      if (isForeign(exchange))
        return couldNotRun(`initialize was answered with ${describeAnswer(exchange)}.`);
      const said = result ? JSON.stringify(result.protocolVersion) : describeAnswer(exchange);
      return judged(
        faultUnless(
          result?.protocolVersion === asked,
          `asked for ${asked}, which it offers, it answered ${said}`,
        ),
        [exchange],
      );
    },
  },
  {
    id: "protocol-version-header-invalid",
    title: "Refuses revisions it does not have",
    description: "A request whose MCP-Protocol-Version names no revision is answered with 400.",
    category: "transport",
    rules: spec(
      "MUST",
      from("2025-06-18", stateful),
      "Protocol version header",
      "basic/transports#protocol-version-header",
    ),
    transports: overHttp,
    needs: ["strangeHeader"],
    judge({ strangeHeader: { status, error, isInSession } }) {
      const isServed = isSuccess(status);
      // A gateway's refusal says nothing of the server, nor does one for want of a credential or of the session.
      const isOwn = error !== undefined && ![401, 403, 429].includes(status) && status < 500;
      const isLost = status === 404 && isInSession;
      if (status !== 400 && !isServed && (!isOwn || isLost))
        return couldNotRun(`Answered with HTTP ${status}, by whomever.`);
      const how = error === undefined ? "served" : `refused ("${short(error, 120)}")`;
      return judged(
        faultUnless(status === 400, `a request of ${neverVersion} was ${how} with HTTP ${status}`),
        [],
        { status },
      );
    },
  },
  {
    id: "modern-missing-version-header",
    title: "Wants the version header",
    description:
      "A request without MCP-Protocol-Version is refused, unless clients before 2025-06-18 are served.",
    category: "transport",
    rules: spec(
      "MUST",
      stateless,
      "Protocol version header",
      "basic/transports/streamable-http#protocol-version-header",
    ),
    transports: overHttp,
    needs: ["noVersionHeader", "opening", "servesOldClients"],
    judge({ noVersionHeader, opening, servesOldClients }) {
      const known = opening.result?.supportedVersions;
      if (!Array.isArray(known)) return couldNotRun("The server does not say which revisions it supports.");
      if (servesOldClients || known.some((one) => one < "2025-06-18")) {
        return notApplicable("The server also serves clients that know no such header.");
      }
      const isServed = resultOf(noVersionHeader) !== undefined;
      const refused = refusedWith(noVersionHeader, -32020);
      const others = isServed || "verdict" in refused ? [] : refused.faults;
      return judged(
        faultUnless(!isServed, "a request without the header was served"),
        [noVersionHeader],
        {},
        // One that also serves a handshake, though not said here, may refuse it in the words of that revision.
        others.map((message) => ({ word: "inferred", message })),
      );
    },
  },
];
