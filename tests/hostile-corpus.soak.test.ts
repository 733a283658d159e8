/** @module The whole hostile corpus through what people run. */
import { HOSTILE_SERVERS } from "@fettle/samples";
import { holdMemory } from "./hostile-corpus-held.ts";

holdMemory(HOSTILE_SERVERS);
