/** @module How the calls of a server's widgets are met, as a person chose it in this tab: another look at the widget asks nothing anew. */
import { createStore } from "../../lib/store.ts";
import type { Approval } from "./gate.ts";

export const approvalsByServer = createStore<Readonly<Record<string, Approval>>>({});

export const approvalOf = (serverId: string): Approval => approvalsByServer.get()[serverId] ?? "reads";

export const setApproval = (serverId: string, approval: Approval): void =>
  approvalsByServer.set({ ...approvalsByServer.get(), [serverId]: approval });
