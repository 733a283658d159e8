import { expect, it } from "vitest";
import { endToEnd } from "./end-to-end.ts";

it.each<[string, [string, string][], [string, string][]]>([
  [
    "what is about the message",
    [
      ["Accept", "text/plain"],
      ["x-own", "1"],
    ],
    [
      ["Accept", "text/plain"],
      ["x-own", "1"],
    ],
  ],
  [
    "nothing of the connection",
    [
      ["Connection", "close"],
      ["Keep-Alive", "5"],
      ["TE", "trailers"],
      ["Upgrade", "h2c"],
    ],
    [],
  ],
  [
    "nothing that Connection names, however it is written",
    [
      ["connection", "close, X-Hop ,x-OTHER"],
      ["x-hop", "1"],
      ["X-Other", "2"],
      ["x-stays", "3"],
    ],
    [["x-stays", "3"]],
  ],
  [
    "nothing that a second Connection names",
    [
      ["Connection", "a"],
      ["connection", "b"],
      ["a", "1"],
      ["b", "2"],
    ],
    [],
  ],
  [
    "nothing that Proxy-Connection names",
    [
      ["proxy-connection", "x-hop"],
      ["x-hop", "1"],
    ],
    [],
  ],
])("passes on %s", (_, given, passed) => {
  expect(endToEnd(given)).toEqual(passed);
});
