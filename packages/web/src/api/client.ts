/** @module How pages talk to the service: the contract's own clients, with the session cookie and a header no other site can send. */
import {
  type ApiClient,
  type AppClient,
  type ClientOptions,
  createAppClient,
  createClient,
} from "@fettle/contract/client";
import { localHeaders } from "./local.ts";
import { noteAnswered, noteSessionEnded } from "./session.ts";

const options = {
  headers: { "x-fettle-app": "1" },
  fetch: async (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(localHeaders())) headers.set(name, value);
    const response = await fetch(input, { ...init, headers, credentials: "same-origin" });
    if (response.ok) noteAnswered();
    if (response.status === 401) await noteSessionEnded(response.clone());
    return response;
  },
} satisfies Omit<ClientOptions, "baseUrl">;

/** Every operation that a page may call: the public API, and what only pages may do (accounts, keys, members). */
export type Service = ApiClient & AppClient;

export const service: Service = {
  ...createClient({ ...options, baseUrl: "/api/v1" }),
  ...createAppClient({ ...options, baseUrl: "/app" }),
};
