/** @module What a piece of work really asks of the database, statement by statement, as it is sent. */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

export interface SentQuery {
  text: string;
  values: unknown[];
}

const listening = new AsyncLocalStorage<SentQuery[]>();

/** Called before the first connection is made; each keeps the way to ask that it finds. */
export function listenToQueries(): void {
  // pg declares an overload for each way to ask; what is passed through here is whatever the caller chose.
  type Ask = (...asked: unknown[]) => unknown;
  const ask = pg.Client.prototype.query as Ask;
  const heard: Ask = function (this: pg.Client, first, second, ...rest) {
    const config = (typeof first === "object" ? first : { text: first }) as Partial<SentQuery>;
    const values = config.values ?? (Array.isArray(second) ? second : []);
    listening.getStore()?.push({ text: String(config.text), values });
    return ask.call(this, first, second, ...rest);
  };
  pg.Client.prototype.query = heard as typeof pg.Client.prototype.query;
}

/** The statements that `work` sent, apart from those that only begin and end transactions. */
export async function queriesOf(work: () => Promise<unknown>): Promise<SentQuery[]> {
  const sent: SentQuery[] = [];
  await listening.run(sent, work);
  return sent.filter(({ text }) => /^\s*(select|with|\()/i.test(text));
}
