/** @module How pages talk to the service: the contract's own clients, with the session cookie and a header no other site can send. */
import { type ClientOptions, createAppClient, createClient } from "@fettle/contract";
import { noteAnswered, noteSessionEnded } from "./session.ts";

const options = {
  headers: { "x-fettle-app": "1" },
  fetch: async (input, init) => {
    const response = await fetch(input, { ...init, credentials: "same-origin" });
    if (response.ok) noteAnswered();
    if (response.status === 401) await noteSessionEnded(response.clone());
    return response;
  },
} satisfies Omit<ClientOptions, "baseUrl">;

/** The public API. */
export const api = createClient({ ...options, baseUrl: "/api/v1" });

/** What only pages may do: accounts, keys, members. */
export const app = createAppClient({ ...options, baseUrl: "/app" });
