import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { serve } from "../testing/http-server.ts";
import { createHttpClient } from "./client.ts";
import { hostedPolicy } from "./policy.ts";

/** A server that no network leads to. */
function inside(answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer!);
  return () => {
    const [ours, theirs] = duplexPair();
    server.emit("connection", theirs);
    return ours;
  };
}

test.each(["https://public.example/t?k=1", "http://127.0.0.1:1/t?k=1"])(
  "a policy that dials reaches its own server under %s, whatever the address and mode",
  async (url) => {
    const dial = inside((request, response) => response.end(`${request.headers.host} ${request.url}`));
    const client = createHttpClient({ policy: { ...hostedPolicy, dial } });
    const response = await client.request({ method: "GET", url });
    expect(await response.text()).toBe(`${new URL(url).host} /t?k=1`);
    expect(response).toMatchObject({ url, zone: "public" });
  },
);

test("a redirect from behind a dialled stream leads back to the stream, never to the network", async () => {
  let seen = 0;
  await using sentinel = await serve((_request, response) => {
    seen++;
    response.end("secret");
  });
  const dial = inside((request, response) => {
    if (request.url === "/a")
      response.writeHead(302, { location: `http://127.0.0.1:${sentinel.port}/b` }).end();
    else response.end("still inside");
  });
  const client = createHttpClient({ policy: { ...hostedPolicy, dial } });
  const response = await client.request({ method: "GET", url: "https://public.example/a" });
  expect(await response.text()).toBe("still inside");
  expect(seen).toBe(0);
});

test("a body that comes bit by bit is heard bit by bit", async () => {
  let goOn = () => {};
  const dial = inside((_request, response) => {
    response.write("one");
    goOn = () => response.end("two");
  });
  const client = createHttpClient({ policy: { ...hostedPolicy, dial } });
  const response = await client.request({ method: "POST", url: "https://public.example/", body: "x" });
  const heard: string[] = [];
  for await (const chunk of response.body) {
    heard.push(Buffer.from(chunk).toString());
    goOn();
  }
  expect(heard).toEqual(["one", "two"]);
});
