/** @module The yardstick: a bare handler of the same framework with the same SQL, and nothing around it. */
import { fastify } from "fastify";
import { readConfig } from "../packages/service/src/core/config/config.ts";
import { keyBucket } from "../packages/service/src/core/limits/limits.ts";
import { type KeyRow, keyFinding } from "../packages/service/src/http/credential-sql.ts";
import { hashToken } from "../packages/service/src/people/accounts/tokens.ts";
import { listTiedProjects } from "../packages/service/src/people/projects/store.ts";
import { createApp } from "../packages/service/src/start/create-app.ts";

const app = await createApp(readConfig({ env: process.env }), { ownership: "attach" });
const findKey = keyFinding(keyBucket(app.config.limits)).alone;

const server = fastify();
server.get("/projects", async (request) => {
  const key = request.headers.authorization!.slice("Bearer ".length);
  const { rows } = await app.pool.query<KeyRow>({ ...findKey, values: [hashToken(key)] });
  const { user_id, organization_id } = rows[0]!;
  return { items: await listTiedProjects(app.pool, user_id, organization_id) };
});
process.send?.(await server.listen({ host: "127.0.0.1", port: 0 }));
process.once("disconnect", async () => {
  await server.close();
  await app.stop();
});
