/** @module Operations of the Server history tag that make cases: what was called once becomes what is called in every run. */
import { access, operation } from "../../core/operation.ts";
import { CaseOfCall, CaseOfCallRequest } from "../case-of-call.ts";

export const createCaseFromHistory = operation({
  id: "createCaseFromHistory",
  tag: "Server history",
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/history/{entryId}/eval-case",
  access: access.project.read,
  summary: "Turn a tool call of the history into a case of an eval suite",
  description: "Turns a call of the history into a case of a suite that checks the same tool.",
  effect: "write",
  touches: { evalSuite: "body.suiteId" },
  cli: "fettle cloud projects servers history eval-case",
  built: true,
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: CaseOfCallRequest,
  output: CaseOfCall,
});

export const createCaseFromSavedCall = operation({
  id: "createCaseFromSavedCall",
  tag: "Server history",
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/saved-calls/{callId}/eval-case",
  access: access.project.read,
  summary: "Turn a saved tool call into a case of an eval suite",
  description: "Turns a saved call into a case of a suite that checks the same tool.",
  effect: "write",
  touches: { evalSuite: "body.suiteId" },
  cli: "fettle cloud projects servers calls eval-case",
  built: true,
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: CaseOfCallRequest,
  output: CaseOfCall,
});
