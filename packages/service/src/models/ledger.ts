/**
 * @module A model whose every call is held to the organization's limit and written down as an intent before it is sent, and settled
 * after. What a dead process never settled stays in the ledger with its estimate.
 */
import { randomUUID } from "node:crypto";
import type { OrganizationId, ProjectId } from "@fettle/contract/core";
import { costOf, estimateCost, type Model, type ModelAnswer, ModelError } from "@fettle/evals";
import type { App } from "../core/app.ts";
import { dayOf, type Reservation, reserveForCall } from "./budget.ts";
import type { SpendSource } from "./budget-store.ts";

export interface Payer {
  organizationId: OrganizationId;
  projectId: ProjectId | null;
  source: SpendSource;
  dial?: SpendDial | undefined;
}

/** A limit beside the organization's, such as a scenario's. */
export interface SpendDial {
  /** Sets aside what a call may cost, or throws. What it returns takes what the call came to in its place. */
  reserve(call: { model: string; usd: number | null }): Promise<(spentUsd: number) => Promise<void>>;
}

/** A call to a live model, paid for. Those that cost nothing are not counted. */
export async function paidCall(
  app: App,
  payer: Payer,
  model: Model,
  /** In dollars a day; null is none. */
  cap: number | null,
  ...[request, context]: Parameters<Model["generate"]>
): Promise<ModelAnswer> {
  if (model.modelClass !== "live") return model.generate(request, context);
  const { organizationId, projectId, source } = payer;
  const usd = model.price ? estimateCost(request, model.price) : null;
  const settleDial = await payer.dial?.reserve({ model: model.id, usd });
  const settle = async (reservation: Reservation | undefined, outcome: Outcome) => {
    const spentUsd = await write(app, payer, model, { reservation, intentId }, outcome);
    await settleDial?.(outcome.kind === "nothing" ? 0 : (spentUsd ?? usd ?? 0));
  };
  let reservation: Reservation | undefined;
  let intentId: string | undefined;
  try {
    if (cap !== null)
      reservation = await reserveForCall(app, cap, { organizationId, source, model: model.id, usd });
  } catch (error) {
    await settleDial?.(0);
    throw error;
  }
  let answer: ModelAnswer;
  try {
    answer = await model.generate(request, {
      ...context,
      // Once, however often the request is repeated: they are tries of one call.
      onSend: async () => {
        if (intentId !== undefined) return;
        const id = randomUUID();
        const intent = { id, organizationId, projectId, source, model: model.id, estimateUsd: usd };
        await app.models.intents.add({ ...intent, at: app.now() });
        intentId = id;
      },
    });
  } catch (error) {
    const mayCost = intentId !== undefined && mayHaveCost(error);
    await settle(reservation, mayCost ? { kind: "lost" } : { kind: "nothing" });
    throw error;
  }
  // It is paid for: what cannot be settled now stays unsettled in the ledger, and the answer is not lost with it.
  await settle(reservation, { kind: "answered", usage: answer.usage }).catch((error: unknown) =>
    app.log.error("a call of a model could not be settled", { error }),
  );
  return answer;
}

/** A provider that was not reached, or said no, did no work; whatever else goes wrong may have been charged for. */
function mayHaveCost(error: unknown): boolean {
  if (!(error instanceof ModelError)) return true;
  const { code, status = 0, details } = error;
  if (status >= 400 || code === "MODEL_CONFIGURATION_INVALID") return false;
  return !unreached.has(String(details.reason));
}

const unreached = new Set(["CONNECTION_REFUSED", "DNS_FAILED", "TLS_FAILED"]);

type Outcome = { kind: "answered"; usage: ModelAnswer["usage"] } | { kind: "lost" } | { kind: "nothing" };

/** What it cost, if that is known. */
async function write(
  app: App,
  payer: Payer,
  model: Model,
  { reservation, intentId }: { reservation: Reservation | undefined; intentId: string | undefined },
  outcome: Outcome,
): Promise<number | null> {
  if (outcome.kind === "nothing" && !reservation && intentId === undefined) return 0;
  const { organizationId, projectId, source } = payer;
  const usage = outcome.kind === "answered" ? outcome.usage : {};
  const costUsd = costOf(usage, model.price);
  const at = app.now();
  // What nobody counted is taken for what was set aside: a limit must not be passed by silence.
  const spentUsd = outcome.kind === "nothing" ? 0 : (costUsd ?? reservation?.usd ?? 0);
  const { input: inputTokens = null, output: outputTokens = null } = usage;
  const call = { projectId, model: model.id, inputTokens, outputTokens, costUsd, at };
  await app.models.settlements.add({
    organizationId,
    source,
    day: reservation?.day ?? dayOf(at).day,
    reservedUsd: reservation?.usd ?? 0,
    isOfHold: reservation?.isOfHold ?? false,
    spentUsd,
    intentId,
    call: outcome.kind === "nothing" ? undefined : call,
  });
  return costUsd;
}
