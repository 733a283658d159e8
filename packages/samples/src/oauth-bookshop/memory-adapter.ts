/**
 * Storage for the authorization server: one map per start, so that two shops in one process never share a token.
 * @module
 */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

export function createMemoryAdapter(): AdapterFactory {
  const rows = new Map<string, AdapterPayload>();
  return (model): Adapter => {
    const key = (id: string) => `${model}:${id}`;
    const findBy = (field: "uid" | "userCode", value: string) =>
      [...rows].find(([name, row]) => name.startsWith(`${model}:`) && row[field] === value)?.[1];
    return {
      async upsert(id, payload) {
        rows.set(key(id), payload);
      },
      find: async (id) => rows.get(key(id)),
      findByUid: async (uid) => findBy("uid", uid),
      findByUserCode: async (userCode) => findBy("userCode", userCode),
      async consume(id) {
        const row = rows.get(key(id));
        if (row) row.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        rows.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const [name, row] of rows) if (row.grantId === grantId) rows.delete(name);
      },
    };
  };
}
