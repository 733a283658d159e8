/** @module Every operation of the service, by id. */
import * as appAccount from "./operations/app/account.ts";
import * as appOrganization from "./operations/app/organization.ts";
import * as appProject from "./operations/app/project.ts";
import * as appSession from "./operations/app/session.ts";
import * as catalog from "./operations/catalog.ts";

export const operations = { ...catalog, ...appSession, ...appAccount, ...appOrganization, ...appProject };

export type Operations = typeof operations;
export type OperationId = keyof Operations;
