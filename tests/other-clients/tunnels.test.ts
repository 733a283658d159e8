/** The machine behind a tunnel, written against the frames of `docs/tunnels.md` alone: nothing of ours but the words in that page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type TestService, testService } from "../../packages/service/src/testing/service.ts";
import { makeWorld, type World } from "../../packages/service/src/testing/world.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService();
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

interface Heard {
  protocol: string;
  hello: Record<string, unknown>;
  requests: { method: string; url: string; body: string }[];
}

let names = 0;
async function openTunnel() {
  const { status, body } = await service.call(`/api/v1/projects/${world.projectId}/tunnels`, {
    method: "POST",
    key: world.people.member.key,
    body: { name: `server ${++names}` },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as { serverId: string; url: string; relayWsUrl: string; connectToken: string };
}

/** Answers every request with what was asked, as text and binary frames. */
function hold(
  grant: Awaited<ReturnType<typeof openTunnel>>,
  protocols: string[],
): Promise<Heard & { socket: WebSocket; close(): void }> {
  const socket = new WebSocket(grant.relayWsUrl, protocols, {
    headers: { authorization: `Bearer ${grant.connectToken}` },
  });
  const bodies = new Map<number, string>();
  const asked = new Map<number, { method: string; url: string }>();
  const requests: Heard["requests"] = [];
  const answer = (id: number) => {
    const request = { ...asked.get(id)!, body: bodies.get(id) ?? "" };
    requests.push(request);
    socket.send(
      JSON.stringify({ t: "res", id, status: 200, headers: [["content-type", "application/json"]] }),
    );
    const head = Buffer.alloc(5);
    head.writeUInt8(2, 0);
    head.writeUInt32BE(id, 1);
    socket.send(Buffer.concat([head, Buffer.from(JSON.stringify(request))]));
    socket.send(JSON.stringify({ t: "res_end", id }));
  };
  return new Promise((resolve, reject) => {
    socket.on("close", (code) => reject(new Error(`closed with ${code}`)));
    socket.on("error", reject);
    socket.on("message", (data, isBinary) => {
      const bytes = data as Buffer;
      if (isBinary) {
        const id = bytes.readUInt32BE(1);
        bodies.set(id, (bodies.get(id) ?? "") + bytes.subarray(5).toString());
        return;
      }
      const frame = JSON.parse(bytes.toString());
      if (frame.t === "hello")
        resolve({ protocol: socket.protocol, hello: frame, requests, socket, close: () => socket.close() });
      if (frame.t === "req") asked.set(frame.id, { method: frame.method, url: frame.url });
      if (frame.t === "req_end" || (frame.t === "req" && !frame.hasBody)) answer(frame.id);
    });
  });
}

describe("a client of another name", () => {
  it.each([[["another-tunnel.v1"]], [["chat", "vendor.example-tunnel.v1"]]])(
    "that offers %j is told its own name, and serves its server under the adapter's path",
    async (offered) => {
      const grant = await openTunnel();
      const holder = await hold(grant, offered);
      const own = offered.at(-1);
      expect([holder.protocol, holder.hello.proto]).toEqual([own, own]);
      expect(holder.hello).toMatchObject({
        slug: expect.any(String),
        limits: { maxReqBody: expect.any(Number), chunk: 65_536, maxInflight: expect.any(Number) },
      });
      const path = `/api/mcp/adapter-http/${grant.serverId}`;
      const response = await fetch(`${grant.url}&session=7`, { method: "POST", body: '{"jsonrpc":"2.0"}' });
      expect(await response.json()).toEqual({
        method: "POST",
        url: `${path}?session=7`,
        body: '{"jsonrpc":"2.0"}',
      });
      expect(await (await fetch(grant.url)).json()).toMatchObject({ method: "GET", url: path });
      holder.close();
    },
  );

  it("with our name is asked for / as before", async () => {
    const grant = await openTunnel();
    const holder = await hold(grant, ["fettle-tunnel.v1"]);
    expect(holder.protocol).toBe("fettle-tunnel.v1");
    expect(await (await fetch(`${grant.url}&session=7`)).json()).toMatchObject({ url: "/?session=7" });
    holder.close();
  });

  it.each([[["graphql-ws"]], [["chat", "example-tunnel.v3"]]])(
    "that offers nothing but %j is refused with 400 before anything is said",
    async (offered) => {
      await expect(hold(await openTunnel(), offered)).rejects.toThrow("Unexpected server response: 400");
    },
  );

  it("that offers none is spoken to as with our latest", async () => {
    const holder = await hold(await openTunnel(), []);
    expect([holder.protocol, holder.hello.proto]).toEqual(["", "fettle-tunnel.v2"]);
    expect(holder.hello.limits).toHaveProperty("window");
    holder.close();
  });

  it("that sends what is no frame is closed with 1002", async () => {
    const grant = await openTunnel();
    const holder = await hold(grant, ["another-tunnel.v1"]);
    const closed = new Promise((resolve) => holder.socket.on("close", resolve));
    holder.socket.send('{"t":"what"}');
    expect(await closed).toBe(1002);
  });
});
