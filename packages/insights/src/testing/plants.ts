/** @module Every planted problem, as a row: what happens, and what must be found of it. */
import type { Plant } from "./plant.ts";
import { plantsOfPeople } from "./plants-of-people.ts";
import { plantsOfServers } from "./plants-of-servers.ts";
import { plantsOfUse } from "./plants-of-use.ts";

export const plants: readonly Plant[] = [...plantsOfServers, ...plantsOfUse, ...plantsOfPeople];
