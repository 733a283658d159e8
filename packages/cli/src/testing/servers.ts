/** @module Servers for the tests of local commands, each reached by the flags that name it. */
import {
  sampleCommand,
  startBookshop,
  startEverything,
  startLegacySse,
  startStateless,
} from "@fettle/samples";
import { everythingOverStdio, startPublicEverything } from "../../../mcp/src/testing/everything-server.ts";

export interface TestServer {
  flags: string[];
  close(): Promise<void>;
}

const overHttp = async (starting: Promise<{ url: string; close(): Promise<void> }>): Promise<TestServer> => {
  const { url, close } = await starting;
  return { flags: ["--url", url], close };
};

const overStdio = ({ command, args }: { command: string; args: string[] }): TestServer => ({
  flags: ["--command", command, ...args.map((word) => `--args=${word}`)],
  close: async () => {},
});

export const testServers = {
  "bookshop over HTTP": () => overHttp(startBookshop()),
  "bookshop over stdio": async () => overStdio(sampleCommand("bookshop")),
  "everything over HTTP": () => overHttp(startEverything()),
  "an old SSE server": () => overHttp(startLegacySse()),
  "a stateless server": () => overHttp(startStateless()),
  "the public server-everything over stdio": async () => overStdio(everythingOverStdio),
  "the public server-everything over HTTP": async (): Promise<TestServer> => {
    const server = await startPublicEverything("streamableHttp");
    return { flags: ["--url", server.url], close: async () => server[Symbol.asyncDispose]() };
  },
} satisfies Record<string, () => Promise<TestServer>>;

export type TestServerName = keyof typeof testServers;
