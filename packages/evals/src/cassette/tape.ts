/**
 * @module Recording a model and playing it back: a case recorded once against a real model runs free and the same way ever
 * after. What the recording does not answer is never made up: a changed surface is stale, an unknown request a miss.
 */
import { canonicalJson, must } from "@fettle/contract/formats";
import type { AgentServer } from "../agent/servers.ts";
import { digestOf } from "../digest.ts";
import type { CassetteFacts } from "../models/cassette-facts.ts";
import type { AssistantPart } from "../models/messages.ts";
import {
  type CallContext,
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
} from "../models/model.ts";
import { ruleModelId } from "../models/model-name.ts";
import { ruleModelNotice } from "../models/rules/rule-model.ts";
import {
  type Cassette,
  type CassetteHeader,
  type RecordedTurn,
  readCassette,
  writeCassette,
} from "./cassette-file.ts";
import { defaultMasks, isMask, keysOf, messagesHash, toolHashes } from "./cassette-key.ts";
import { cleaner, survivorIn } from "./clean-recording.ts";
import { parametersOf, stalenessOf } from "./staleness.ts";
import { playServers, recordServers, type ServerRecording } from "./taped-servers.ts";

export interface TapeOptions {
  mode: CassetteFacts["mode"];
  /** The model that the case asks for: a recording of another one is stale. */
  model?: string;
  /** What was recorded earlier, as read from its file; absent: nothing. */
  recorded?: string;
  /** Where that file is, to be named when it cannot be used. */
  path?: string;
  suiteId: string;
  caseKey: string;
  scenarioContentHash: string;
  fettleVersion: string;
  recordedAt: number;
  masks?: readonly string[];
  /** A request that differs in what tools answered is a miss. */
  strict?: boolean;
  /** Plays on although the surface has changed; what comes of it proves nothing, and says so. */
  acceptStale?: boolean;
  /** What the servers offer and their tools answer is recorded and played back too, so that none is needed. */
  tools?: boolean;
  /** Credentials by name, which must not get into the file. */
  secrets?: Readonly<Record<string, string>>;
}

export interface Tape {
  /** The model as one iteration uses it; without a live one only what is recorded is answered. */
  model(live: Model | undefined, iteration: number): Model;
  /** The servers as one iteration uses them. Throws a ModelError where they are to be played and are not recorded. */
  servers(live: readonly AgentServer[], iteration: number): readonly AgentServer[];
  /** The file to write, without the iterations that broke off; undefined when nothing was recorded. */
  text(lost?: ReadonlySet<number>): string | undefined;
}

/**
 * @example
 * const tape = openTape({ mode: "replay", recorded: await readFile(path, "utf8"), … });
 * const agent = createAgent({ model: tape.model(undefined, 1), servers });
 */
export function openTape(options: TapeOptions): Tape {
  const { mode } = options;
  const masks = [...(options.masks ?? defaultMasks)];
  const strange = masks.find((mask) => !isMask(mask));
  if (strange !== undefined) {
    throw new ModelError("CASSETTE_INVALID", `"${strange}" is no mask.`, {
      hint: "Use timestamps, uuids, or a path such as $.items[*].id.",
    });
  }
  const cassette = options.recorded === undefined ? undefined : readCassette(options.recorded, options.path);
  // One that was lost while it was recorded has no turns, and leaves a gap.
  const recordedIterations = [
    ...new Set([...(cassette?.turns ?? []), ...(cassette?.calls ?? [])].map(({ iteration }) => iteration)),
  ].toSorted((one, other) => one - other);
  const recordedFor = (iteration: number) =>
    recordedIterations[(iteration - 1) % Math.max(1, recordedIterations.length)] ?? iteration;
  const clean = cleaner(options.secrets ?? {});
  const withCleanWords = (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: clean(request.messages),
    ...(request.system !== undefined && { system: clean(request.system) }),
  });
  let header: CassetteHeader | undefined;
  const added: RecordedTurn[] = [];
  const ofServers: ServerRecording = { servers: [], calls: [] };

  function open(live: Model | undefined, iteration: number): Model {
    const isReplay = mode === "replay";
    if (!isReplay && !live) {
      throw new ModelError("CASSETTE_MISS", `A model is needed to ${mode.replaceAll("_", " ")}.`);
    }
    const source = () => must(live, "a model in every mode but replay");
    const facts: CassetteFacts = { mode, hits: 0, loose: 0, misses: 0, stale: 0 };
    if (isReplay && options.tools) facts.toolsReplayed = true;
    const recordedWith = cassette?.header;
    const isOfRules = recordedWith?.model === ruleModelId;
    let seq = 0;
    return {
      id: live?.id ?? recordedWith?.model ?? options.model ?? "replay/nothing",
      provider: live?.provider ?? recordedWith?.provider ?? "replay",
      // Rules that are played back are still rules.
      modelClass: isReplay ? (isOfRules ? "rules" : "replay") : source().modelClass,
      // Several recorded repetitions are several answers of a real model.
      deterministic: isReplay ? recordedIterations.length === 1 : source().deterministic,
      ...(isReplay && recordedIterations.length > 0 && { recordings: recordedIterations.length }),
      ...(isReplay
        ? {
            notice: `Model answers are played back from a recording.${isOfRules ? ` ${ruleModelNotice}` : ""}`,
          }
        : live?.notice !== undefined && { notice: live.notice }),
      ...(live?.price && !isReplay && { price: live.price }),
      cassette: () => facts,
      async generate(request, context) {
        seq++;
        if (mode === "record") return record(source(), request, context, iteration, seq);
        if (mode === "verify" && !cassette) throw missed(request, cassette);
        const found = find(request, iteration, live, facts);
        if (mode === "verify") return verify(source(), request, context, found, facts, seq);
        if (found) {
          facts[found.kind === "exact" ? "hits" : "loose"]++;
          if (found.kind === "loose") diverged(facts, seq, toolsDiffer(request));
          return playBack(found, context);
        }
        facts.misses++;
        if (mode === "replay_or_record") return record(source(), request, context, iteration, seq);
        throw missed(request, cassette);
      },
    };
  }

  interface Found {
    kind: "exact" | "loose";
    turn: RecordedTurn;
  }

  function find(
    request: ModelRequest,
    iteration: number,
    live: Model | undefined,
    facts: CassetteFacts,
  ): Found | undefined {
    if (!cassette) return undefined;
    const { header: recorded, turns } = cassette;
    const reasons = stalenessOf(recorded, live?.id ?? options.model, request);
    if (reasons.length > 0) {
      facts.stale++;
      if (mode === "verify") facts.divergence ??= `The recording is stale: ${reasons.join("; ")}.`;
      if (mode === "replay_or_record" || mode === "verify") return undefined;
      if (!options.acceptStale) throw stale(recorded, reasons);
      facts.staleAccepted = true;
    }
    const keys = keysOf(recorded.model, withCleanWords(request), recorded.masks);
    const wanted = recordedFor(iteration);
    // What the surface was when it was recorded is known to differ; the rest must not.
    const accepted = facts.staleAccepted ? byPlace(turns, request, wanted) : undefined;
    const best = (fits: (turn: RecordedTurn) => boolean) => {
      const fitting = turns.filter(fits);
      return fitting.find((turn) => turn.iteration === wanted) ?? fitting[0];
    };
    const exact = best((turn) => turn.key.exact === keys.exact);
    if (exact) return { kind: "exact", turn: exact };
    const loose = options.strict ? undefined : (best((turn) => turn.key.loose === keys.loose) ?? accepted);
    return loose && { kind: "loose", turn: loose };
  }

  async function record(
    live: Model,
    request: ModelRequest,
    context: CallContext,
    iteration: number,
    seq: number,
  ): Promise<ModelAnswer> {
    const started = performance.now();
    const answer = await live.generate(request, context);
    header ??= headerFor(live, request);
    const known = withCleanWords(request);
    const lastUser = known.messages.findLast(({ role }) => role === "user");
    added.push({
      iteration,
      seq,
      promptIndex: request.position.prompt,
      stepIndex: request.position.step,
      key: keysOf(live.id, known, masks),
      request: {
        messagesHash: messagesHash(known.messages),
        ...(lastUser?.role === "user" && { lastUser: lastUser.text }),
      },
      response: {
        content: clean(answer.parts.map(withoutMetadata)),
        finishReason: answer.finishReason,
        usage: answer.usage,
        ...(answer.responseId !== undefined && { responseId: answer.responseId }),
      },
      latencyMs: Math.round(performance.now() - started),
      ...(answer.ttfcMs !== undefined && { ttfcMs: answer.ttfcMs }),
    });
    return answer;
  }

  /** Lives on, and tells whether the recording would have said the same. */
  async function verify(
    live: Model,
    request: ModelRequest,
    context: CallContext,
    found: Found | undefined,
    facts: CassetteFacts,
    seq: number,
  ): Promise<ModelAnswer> {
    const answer = await live.generate(request, context);
    const now = saidBy(clean(answer.parts));
    const then = found && saidBy(found.turn.response.content);
    if (now === then) facts.hits++;
    else {
      facts.misses++;
      const before = then === undefined ? "nothing" : shortened(then);
      diverged(facts, seq, `At ${placeOf(request)}, ${before} is recorded, and now it is ${shortened(now)}.`);
    }
    return answer;
  }

  /** Of a case that makes its calls itself, and asks no model. */
  function headerWithoutModel(): CassetteHeader {
    const request = { tools: [], parameters: {}, toolChoice: "auto" } as const;
    return headerFor({ id: options.model ?? "none", provider: "none" }, request);
  }

  function headerFor(
    live: Pick<Model, "id" | "provider">,
    request: Pick<ModelRequest, "tools" | "parameters" | "toolChoice" | "system">,
  ): CassetteHeader {
    const tools = toolHashes(request.tools);
    const { suiteId, caseKey, scenarioContentHash, recordedAt, fettleVersion } = options;
    return {
      suiteId,
      caseKey,
      scenarioContentHash,
      model: live.id,
      provider: live.provider,
      parameters: parametersOf(request),
      systemHash: digestOf(request.system ?? ""),
      toolsHash: { combined: digestOf(tools), tools },
      recordedAt,
      fettleVersion,
      masks,
    };
  }

  return {
    model: open,
    servers(live, iteration) {
      if (!options.tools) return live;
      if (mode === "replay") return playServers(cassette ?? ofServers, live, recordedFor(iteration));
      return recordServers(ofServers, live, iteration, clean);
    },
    text(lost = new Set()) {
      const isWhole = ({ iteration }: { iteration: number }) => !lost.has(iteration);
      const turns = added.filter(isWhole);
      const calls = ofServers.calls.filter(isWhole);
      if (turns.length + calls.length === 0) return undefined;
      const made = header ?? headerWithoutModel();
      // What was recorded for another surface is not kept beside what was recorded for this one.
      const isSame = cassette && sameSurface(cassette.header, made);
      const text = writeCassette({
        header: made,
        servers: ofServers.servers,
        turns: [...(isSame ? cassette.turns : []), ...turns],
        calls,
      });
      const survivor = survivorIn(text, options.secrets ?? {});
      if (survivor === undefined) return text;
      throw new ModelError(
        "CASSETTE_INVALID",
        `The recording holds the credential ${survivor}; it is not written.`,
        {
          hint: "Take it out of the prompts, the system text and the tools' results.",
        },
      );
    },
  };
}

function byPlace(turns: readonly RecordedTurn[], { position }: ModelRequest, iteration: number) {
  return turns.find(
    (turn) =>
      turn.promptIndex === position.prompt &&
      turn.stepIndex === position.step &&
      turn.iteration === iteration,
  );
}

function sameSurface(one: CassetteHeader, other: CassetteHeader): boolean {
  const surface = ({ model, systemHash, toolsHash, parameters, masks }: CassetteHeader) =>
    canonicalJson({ model, systemHash, toolsHash, parameters, masks });
  return surface(one) === surface(other);
}

function playBack(
  { kind, turn }: { kind: "exact" | "loose"; turn: RecordedTurn },
  { onDelta, signal }: CallContext,
): ModelAnswer {
  if (signal.aborted) throw new ModelError("MODEL_CANCELLED", "Cancelled.");
  const { content, finishReason, usage, responseId } = turn.response;
  // A copy: whoever reads an answer may write into it.
  const parts = structuredClone(content);
  for (const part of parts) {
    onDelta?.(
      part.type === "tool-call"
        ? { kind: "tool-call", toolCallId: part.toolCallId, name: part.name }
        : { kind: part.type, text: part.text },
    );
  }
  return {
    parts,
    finishReason,
    usage,
    ...(responseId !== undefined && { responseId }),
    warnings: [],
    replay: { kind, seq: turn.seq },
  };
}

function diverged(facts: CassetteFacts, seq: number, words: string): void {
  facts.divergedAt ??= seq;
  facts.divergence ??= words;
}

const placeOf = ({ position }: ModelRequest) => `prompt ${position.prompt + 1}, step ${position.step + 1}`;

function toolsDiffer(request: ModelRequest): string {
  return `Some time before ${placeOf(request)}, a tool answered something else than when it was recorded.`;
}

/** What an answer comes to: its words and its calls, not their ids. */
function saidBy(parts: readonly AssistantPart[]): string {
  return canonicalJson(
    parts.flatMap((part): unknown[] => {
      if (part.type === "reasoning") return [];
      return part.type === "text" ? [part.text] : [{ name: part.name, arguments: part.arguments }];
    }),
  );
}

/** Enough to see what differs, in a line. */
const shortened = (said: string) => (said.length > 200 ? `${said.slice(0, 200)}…` : said);

function withoutMetadata(part: AssistantPart): AssistantPart {
  if (part.type === "text") return part;
  const { providerMetadata: _dropped, ...kept } = part;
  return kept;
}

function stale({ model, recordedAt }: CassetteHeader, reasons: readonly string[]): ModelError {
  const when = new Date(recordedAt).toISOString().slice(0, 10);
  return new ModelError(
    "CASSETTE_STALE",
    `The recording of ${model} of ${when} is stale: ${reasons.join("; ")}. What it chose then proves nothing now.`,
    { hint: "Record it anew with a live model: --cassette record.", details: { reasons: [...reasons] } },
  );
}

function missed(request: ModelRequest, cassette: Cassette | undefined): ModelError {
  const why = cassette
    ? `The recording has no answer for ${placeOf(request)}: the conversation went another way than when it was recorded.`
    : "There is no recording of this case.";
  return new ModelError("CASSETTE_MISS", why, { hint: "Record it with a live model: --cassette record." });
}
