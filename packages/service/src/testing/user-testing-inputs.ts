/** @module What a test sends to the operations of user testing. */
import { type EnvironmentId, idOf } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { inviteMember } from "../visitors/user-testing/members.ts";
import { publishScenario } from "../visitors/user-testing/scenarios.ts";
import { findScenario } from "../visitors/user-testing/store.ts";
import type { OperationInput } from "./operation-inputs.ts";
import { plantSession } from "./planted-sessions.ts";
import type { World } from "./world.ts";

const origin = "https://fettle.example";

const guestExecution = {
  enabled: true,
  computerEnabled: false,
  sharedSkillsEnabled: true,
  dailyCreditCap: 0,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
};

type Saved = (world: World, app: App) => Promise<{ environmentId: EnvironmentId }>;

export function userTestingInputs(savedEnvironment: Saved) {
  const published = async (world: World, app: App) => {
    const { projectId, people } = world;
    const { environmentId } = await savedEnvironment(world, app);
    const by = { projectId, userId: people.owner.userId, origin };
    const { id } = await publishScenario(app, by, environmentId, {});
    return { environmentId, scenarioId: id };
  };
  const invited = async (world: World, app: App) => {
    const { environmentId, scenarioId } = await published(world, app);
    const by = { userId: world.people.owner.userId, origin };
    const row = (await findScenario(app.db, world.projectId, idOf<"scenario">().parse(scenarioId)))!;
    const { memberId } = await inviteMember(app, row, by, {
      email: "ana@example.com",
      sendInviteEmail: false,
    });
    return { environmentId, scenarioId, memberIdOrEmail: memberId };
  };
  const begun = async (world: World, app: App) => {
    const { projectId } = world;
    const { environmentId, scenarioId } = await published(world, app);
    const row = (await findScenario(app.db, projectId, idOf<"scenario">().parse(scenarioId)))!;
    const { sessionId } = await plantSession(app, row);
    return { environmentId, scenarioId, sessionId };
  };
  const nothingFound = async (world: World, app: App) => ({
    ...(await published(world, app)),
    windowId: "uw_missing",
    findingId: "rf_missing",
  });
  // Without the cookie that coming by the link gives; with it, see user-testing.test.ts.
  const noVisit = { params: () => ({ scenarioId: "scn_missing", sessionId: "cht_missing" }), passes: 401 };
  return {
    publishScenario: { params: savedEnvironment, passes: 201 },
    unpublishScenario: { params: published },
    listScenarios: {},
    getScenario: { params: published },
    updateUserTestingScenario: { params: published, body: () => ({ name: "Renamed" }) },
    getUserTestingScenario: { params: published },
    setGuestExecution: { params: published, body: () => guestExecution },
    rotateScenarioLink: { params: published },
    rebindScenario: { params: published, body: (_, { environmentId }) => ({ environmentId }) },
    listScenarioMembers: { params: published },
    upsertScenarioMember: { params: published, body: () => ({ email: "ana@example.com" }) },
    removeScenarioMember: { params: invited },
    listUserTestingSessions: { params: published },
    getUserTestingSession: { params: begun },
    deleteUserTestingSession: { params: begun },
    // Nobody has come yet.
    getUserTestingMetrics: { params: published, passes: 404 },
    getUserTestingUsage: { params: published, passes: 404 },
    getUserTestingSignals: { params: published, passes: 404 },
    listUserTestingFindings: { params: published },
    getUserTestingWindowInsights: { params: nothingFound, passes: 404 },
    requestUserTestingInsights: { params: begun },
    cancelUserTestingInsights: { params: published, body: () => ({ windowId: "uw_missing" }), passes: 404 },
    dismissUserTestingFinding: { params: nothingFound, passes: 404 },
    undismissUserTestingFinding: { params: nothingFound, passes: 404 },

    redeemScenarioLink: { body: () => ({ linkToken: "used" }), passes: 404 },
    getVisit: noVisit,
    consentToVisit: { ...noVisit, body: () => ({ agrees: true }) },
    startVisitSession: noVisit,
    streamVisitTurn: { ...noVisit, body: () => ({ idempotencyKey: "1", message: "Hello" }) },
    stopVisitTurn: noVisit,
    decideVisitCall: { ...noVisit, body: () => ({ toolCallId: "c", allow: true }) },
    renderVisitWidget: { ...noVisit, body: () => ({ toolCallId: "c" }) },
    askForVisitWidget: {
      ...noVisit,
      body: () => ({ toolCallId: "c", asked: { name: "readResource", input: { uri: "ui://shop/shelf" } } }),
    },
    rateVisitTurn: { ...noVisit, body: () => ({ value: 1 }) },
    endVisitSession: noVisit,
    eraseVisitSession: noVisit,
    streamVisitEvents: noVisit,
  } satisfies Record<string, OperationInput>;
}
