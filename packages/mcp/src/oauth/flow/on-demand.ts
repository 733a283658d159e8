/** @module Signs in when a connection is asked for a token: the whole flow behind one `Authorize`, with more scope where that is missing, and an end to it. */
import { McpError } from "../../failure.ts";
import type { AuthorizationDemand, Authorize } from "../../session/link.ts";
import type { OauthClient } from "../tokens.ts";
import { type Flow, runFlow } from "./flow.ts";
import type { FlowOptions } from "./flow-options.ts";
import { scopeToRegister } from "./scope.ts";

export interface OnDemandOptions extends Omit<FlowOptions, "challenge" | "isUnproven"> {
  /** Told of every flow, good or bad. */
  onFlow?: ((flow: Flow) => void) | undefined;
}

/** A server that is never content is not asked for ever. */
const maxFlows = 3;

/**
 * @example
 * const connection = await connect(target, { authorize: signInOnDemand({ serverUrl, authMode: "interactive", strict: false, redirectUri, askPerson }) });
 */
export function signInOnDemand(options: OnDemandOptions): Authorize {
  /** Known there and nowhere else: another issuer never hears of it. */
  const clients = new Map<string, { client: OauthClient; scope: string }>();
  let granted: string | undefined;
  let flows = 0;
  return async (demand) => {
    if (flows >= maxFlows) return undefined;
    flows++;
    const scopes = scopesFor(options, demand, granted);
    const flow = await runFlow({
      ...options,
      isUnproven: true,
      challenge: demand.challenge ?? {},
      // A client that is not registered for what is asked now would be refused.
      clientOf: (issuer) => {
        const known = clients.get(issuer);
        return known && isWithin(scopes, known.scope) ? known.client : undefined;
      },
      ...(scopes !== undefined && { scopes }),
    });
    options.onFlow?.(flow);
    const { run, gains } = flow;
    const { guardian, client, tokens } = gains;
    if (!tokens || !guardian || !client) {
      const { message = "The sign-in did not come to an end.", hint, details } = run.failure ?? {};
      throw new McpError("OAUTH", message, {
        ...(hint !== undefined && { hint }),
        ...(details && { details }),
      });
    }
    const isKnown = clients.get(guardian.issuer)?.client === client;
    if (!isKnown)
      clients.set(guardian.issuer, { client, scope: scopeToRegister(gains.scope, guardian) ?? "" });
    granted = gains.scope;
    return { authorization: `Bearer ${tokens.accessToken}` };
  };
}

function isWithin(asked: string | undefined, registered: string): boolean {
  const known = new Set(registered.split(" "));
  return (asked ?? "").split(" ").every((scope) => scope === "" || known.has(scope));
}

/** What was granted stays granted: the missing scope comes on top. */
function scopesFor(
  { authMode, scopes }: OnDemandOptions,
  { status, challenge }: AuthorizationDemand,
  granted: string | undefined,
): string | undefined {
  const isShort = status === 403 || challenge?.error === "insufficient_scope";
  if (!isShort || challenge?.scope === undefined) return scopes;
  if (authMode === "client_credentials") {
    throw new McpError(
      "OAUTH",
      `The token lacks the scope ${challenge.scope}, and there is nobody to ask for more.`,
      {
        hint: "Ask for it from the beginning, or give the client the right to it.",
      },
    );
  }
  return [...new Set([...(granted ?? "").split(" "), ...challenge.scope.split(" ")])]
    .filter(Boolean)
    .join(" ");
}
