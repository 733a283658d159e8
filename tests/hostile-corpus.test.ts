/** @module Hostile servers through what people run: all that send too much, and of the others one for each step at which a client fails. The long run takes the whole corpus. */
import { HOSTILE_SERVERS } from "@fettle/samples";
import { TOO_MUCH } from "../packages/samples/src/hostile/too-much.ts";
import { holdMemory } from "./hostile-corpus-held.ts";

const others = HOSTILE_SERVERS.filter((server) => !TOO_MUCH.includes(server));
const oneForEachStep = Map.groupBy(others, ({ failsAt, transports }) => `${failsAt} over ${transports[0]}`);

holdMemory([...TOO_MUCH, ...[...oneForEachStep.values()].map(([server]) => server!)]);
