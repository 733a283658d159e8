/** @module Binds the operations of suites and cases. */
import type { EvalCaseId, EvalSuiteId } from "@fettle/contract/core";
import { idempotencyKeyOf } from "../../core/idempotency/idempotency.ts";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import { requireCall } from "../../servers/history/repeat-call.ts";
import { theCall, theEntry } from "../../servers/history/routes.ts";
import { createCaseOf } from "./case-of-call.ts";
import { findCase } from "./case-store.ts";
import { createCase, createCases, deleteCase, listCases, updateCase } from "./cases.ts";
import { generateCases } from "./generate.ts";
import { toCase } from "./read-case.ts";
import { readEdition, saveDocument } from "./save-document.ts";
import { changeSchedule } from "./schedule.ts";
import { findSuite } from "./store.ts";
import { checkDocument, checkText } from "./suite-document.ts";
import { listSuites, viewSuite } from "./suite-view.ts";
import { attachEnvironment, createSuite, deleteSuite, syncFileSuite, updateSuite } from "./suites.ts";

type InSuite = InProject<{ suiteId: EvalSuiteId }>;

export const theSuite = ({ app, project, params }: InSuite) => findSuite(app.db, project.id, params.suiteId);

const theCase = async (call: InSuite & { params: { caseId: EvalCaseId } }) => {
  const suite = await theSuite(call);
  const row = suite && (await findCase(call.app.db, suite.id, call.params.caseId));
  return row && { suite, row };
};

export const evalSuiteBindings = {
  listEvalSuites: ({ app, project, query }) => listSuites(app.db, project.id, query),
  createEvalSuite: ({ app, db, project, caller, body }) => createSuite(app, db, project, caller, body),
  getEvalSuite: bindResource(theSuite, ({ app }, suite) => viewSuite(app.db, suite)),
  updateEvalSuite: bindResource(theSuite, ({ app, db, body }, suite) => updateSuite(app, db, suite, body)),
  deleteEvalSuite: bindResource(theSuite, ({ app, db, project, caller, query }, suite) =>
    deleteSuite(app, db, project, caller.userId, suite, query.expectedUpdatedAt),
  ),
  syncFileOwnedEvalSuite: ({ app, db, project, caller, body }) =>
    syncFileSuite(app, db, project, caller.userId, body),
  attachEvalSuiteEnvironment: bindResource(theSuite, ({ app, db, body }, suite) =>
    attachEnvironment(app, db, suite, body.environmentId),
  ),
  updateEvalSuiteSchedule: bindResource(theSuite, ({ app, db, caller, body }, suite) =>
    changeSchedule(app, db, suite, caller.userId, body),
  ),
  getEvalSuiteDocument: bindResource(theSuite, ({ app }, suite) => readEdition(app.db, suite)),
  checkEvalSuiteDocument: bindResource(theSuite, ({ body }) =>
    body.text === undefined ? checkDocument(body.document ?? {}) : checkText(body.text),
  ),
  saveEvalSuiteDocument: bindResource(theSuite, ({ app, db, caller, body }, suite) =>
    saveDocument(app, db, suite, caller.userId, body),
  ),
  listEvalCases: bindResource(theSuite, ({ app, query }, suite) => listCases(app.db, suite, query)),
  createEvalCase: bindResource(theSuite, ({ app, db, caller, body }, suite) =>
    createCase(app, db, suite, caller.userId, body),
  ),
  createEvalCases: bindResource(theSuite, ({ app, db, caller, body, request }, suite) =>
    createCases(app, db, suite, { userId: caller.userId, key: idempotencyKeyOf(request.headers) }, body),
  ),
  generateEvalCases: bindResource(theSuite, generateCases),
  getEvalCase: bindResource(theCase, (_, { suite, row }) => toCase(suite, row)),
  updateEvalCase: bindResource(theCase, ({ app, db, body }, { suite, row }) =>
    updateCase(app, db, suite, row, body),
  ),
  deleteEvalCase: bindResource(theCase, ({ app, db, query }, { suite, row }) =>
    deleteCase(app, db, suite, row, query.expectedUpdatedAt),
  ),
  createCaseFromHistory: bindResource(theEntry, ({ app, db, caller, project, body }, { server, entry }) =>
    createCaseOf(app, db, { projectId: project.id, userId: caller.userId }, server, requireCall(entry), body),
  ),
  createCaseFromSavedCall: bindResource(theCall, ({ app, db, caller, project, body }, { server, row }) =>
    createCaseOf(app, db, { projectId: project.id, userId: caller.userId }, server, row, body),
  ),
} satisfies Partial<Bindings>;
