/** @module The questions to servers that are open in front of people, and how what a person says of one reaches the process that holds it. */
import { randomUUID } from "node:crypto";
import { ApiError, type ServerId, type UserId } from "@fettle/contract/core";
import { parseExactNumbers } from "@fettle/contract/formats";
import { Secret } from "@fettle/contract/secrets";
import type { ServerAnswerRequest } from "@fettle/contract/servers";
import type { Listener } from "../../core/db/listener.ts";
import type { OpenDatabase } from "../../core/db/open.ts";
import type { Log } from "../../core/log/log.ts";
import type { Vault } from "../../core/vault/vault.ts";

/** Whose question it is. Nobody else answers it or cancels it. */
export interface AskPlace {
  userId: UserId;
  serverId: ServerId;
  askId: string;
}

export interface OpenAsk {
  answer(answer: ServerAnswerRequest): void;
  cancel(): void;
}

type Said = { kind: "answer"; answer: ServerAnswerRequest } | { kind: "cancel" };

export interface Asks {
  /** Refuses a second one of the same name. */
  open(place: AskPlace, ask: OpenAsk): Disposable;
  /** To whichever process holds it; nothing comes of it when it is over. */
  say(place: AskPlace, said: Said): Promise<void>;
  close(): void;
}

declare module "../../core/app.ts" {
  interface App {
    /** Questions to saved servers that are open in front of people, here and in other processes. */
    asks: Asks;
  }
}

const channel = "fettle_asks";
/** A notification holds less than 8000 bytes. */
const pieceLength = 6_000;
/** Parts of one message come together; this many may have been cut off. */
const keptParts = 20;

interface Piece {
  id: string;
  of: number;
  text: string;
}

interface Letter {
  name: string;
  said: Said;
}

/** What is said may be anybody's words, so it travels sealed. */
export function createAsks({
  pool,
  listener,
  vault,
  log,
}: {
  pool: OpenDatabase["pool"];
  listener: Listener;
  vault: Vault;
  log: Log;
}): Asks {
  const held = new Map<string, OpenAsk>();
  const parts = new Map<string, string[]>();

  function hear(name: string, said: Said): boolean {
    const ask = held.get(name);
    if (!ask) return false;
    if (said.kind === "cancel") ask.cancel();
    else ask.answer(said.answer);
    return true;
  }

  function take({ id, of, text }: Piece): void {
    const texts = [...(parts.get(id) ?? []), text];
    parts.set(id, texts);
    const [oldest] = parts.keys();
    if (parts.size > keptParts && oldest !== undefined) parts.delete(oldest);
    if (texts.length < of) return;
    parts.delete(id);
    try {
      // Written by `say` and by nobody else.
      const { name, said } = parseExactNumbers(vault.open(texts.join(""), channel).reveal()) as Letter;
      hear(name, said);
    } catch (error) {
      log.warn("what was said to an open question could not be read", { error });
    }
  }

  const forget = listener.listen(channel, {
    notified: (payload) => take(JSON.parse(payload) as Piece),
    connected: () => {},
  });

  return {
    open(place, ask) {
      const name = nameOf(place);
      if (held.has(name)) throw new ApiError("CONFLICT", "This question is being asked already.");
      held.set(name, ask);
      return { [Symbol.dispose]: () => void held.delete(name) };
    },
    async say(place, said) {
      const name = nameOf(place);
      if (hear(name, said)) return;
      const sealed = vault.seal(new Secret(JSON.stringify({ name, said } satisfies Letter)), channel);
      const texts = sealed.match(new RegExp(`.{1,${pieceLength}}`, "gs")) ?? [];
      const id = randomUUID();
      const pieces = texts.map((text) => JSON.stringify({ id, of: texts.length, text } satisfies Piece));
      await pool.query("select pg_notify($1, piece) from unnest($2::text[]) as piece", [channel, pieces]);
    },
    close: forget,
  };
}

const nameOf = ({ userId, serverId, askId }: AskPlace) => JSON.stringify([userId, serverId, askId]);
