/** @module The hostile corpus once more, all of it over stdio, where every look at a server is a process of its own. */
import { holdVerdicts, namesOver } from "./wire-verdicts-held.ts";

holdVerdicts("stdio", namesOver("stdio"));
