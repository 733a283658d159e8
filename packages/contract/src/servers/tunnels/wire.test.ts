import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTunnelChunk, encodeTunnelChunk, inTunnelChunks, parseTunnelFrame } from "./wire.ts";

it("brings any chunk over as it was", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("request" as const, "response" as const),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.uint8Array({ maxLength: 300 }),
      (kind, id, payload) => {
        expect(decodeTunnelChunk(encodeTunnelChunk({ kind, id, payload }))).toEqual({ kind, id, payload });
      },
    ),
  );
});

it("cuts a body into pieces and loses nothing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 64 }), (bytes, size) => {
      const pieces = [...inTunnelChunks(bytes, size)];
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= size)).toBe(true);
      expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
    }),
  );
});

it.each([
  '{"t":"hello","proto":"fettle-tunnel.v1","slug":"a","limits":{"maxReqBody":1,"chunk":1,"maxInflight":1}}',
  '{"t":"hello","proto":"fettle-tunnel.v2","slug":"a","limits":{"maxReqBody":1,"chunk":1,"maxInflight":1,"window":1}}',
  '{"t":"credit","id":1,"bytes":65536}',
  '{"t":"req","id":1,"method":"POST","url":"/","headers":[["a","b"]],"hasBody":true}',
  '{"t":"res","id":1,"status":200,"headers":[]}',
  '{"t":"res","id":1,"status":999,"headers":[]}',
  '{"t":"res_end","id":4294967295}',
  '{"t":"abort","id":1,"code":"timeout","msg":"late"}',
])("understands %s", (text) => {
  expect(parseTunnelFrame(text)).toEqual(JSON.parse(text));
});

it.each([
  "",
  "null",
  "[]",
  '{"t":"res"}',
  '{"t":"res","id":-1,"status":200,"headers":[]}',
  '{"t":"res","id":1,"status":"200","headers":[]}',
  '{"t":"res","id":1,"status":200,"headers":{"a":"b"}}',
  '{"t":"req","id":1,"method":"GET","url":"http://elsewhere/","headers":[],"hasBody":false}',
  '{"t":"abort","id":1,"code":"because"}',
  '{"t":"credit","id":1,"bytes":0}',
  '{"t":"credit","id":1,"bytes":1e10}',
  '{"t":"hello","proto":"fettle-tunnel.v2","slug":"a","limits":{"maxReqBody":1,"chunk":1,"maxInflight":1}}',
  '{"t":"hello","proto":"other.v1","slug":"a","limits":{"maxReqBody":1,"chunk":1,"maxInflight":1}}',
])("takes %s for nothing", (text) => {
  expect(parseTunnelFrame(text)).toBeUndefined();
});

it("takes a chunk without a head for nothing", () => {
  expect(decodeTunnelChunk(new Uint8Array([1, 0, 0, 0]))).toBeUndefined();
  expect(decodeTunnelChunk(new Uint8Array([9, 0, 0, 0, 1]))).toBeUndefined();
});
