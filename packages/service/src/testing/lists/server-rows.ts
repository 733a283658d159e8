/** @module Servers with their history, conformance and readiness runs; the audit log, notices and the directory. */
import type { Rows } from "./filled-project.ts";

const listedServers = 50;

/** The moment of a row, and its place in the order of time. */
export const at = "timestamptz '2026-01-01' + g * interval '1 second'";
export const numbered = (prefix: string, number = "g") => `'${prefix}_' || lpad((${number})::text, 8, '0')`;
export const range = "generate_series(:from, :to) AS g";
export const half = "generate_series(:from, :to) AS g WHERE g % 2 = 1";
/** Of every ten rows the first. */
export const tenth = "generate_series(:from, :to) AS g WHERE g % 10 = 1";

const tally = `'{"score":95,"outcome":"passed","applicable":10,"passed":10,"failed":0,"couldNotRun":0,"notApplicable":0,"pending":0,"advisories":[],"advicePointsLost":0,"couldNotRunIds":[]}'`;

export const serverRows: Rows = {
  before: [
    `INSERT INTO servers (id, project_id, name, transport_type, settings, sealed, created_by)
     SELECT ${numbered("srv")}, :project, 'Server ' || g, 'http', '{}', 'x', :owner FROM generate_series(1, ${listedServers}) AS g`,
    `INSERT INTO webhooks (id, project_id, name, shown_url, sealed, events, created_at, updated_at)
     VALUES ('whk_1', :project, 'Team', 'https://team.example/', 'x', '{eval_run.ended}', now(), now())`,
    "INSERT INTO registry_sources (source) VALUES ('samples') ON CONFLICT DO NOTHING",
  ],
  each: [
    // Signed in to long ago, each server once, and never again: the latest of its kind lies under all the rest.
    `INSERT INTO server_history (id, server_id, kind, outcome, summary, created_by, at, duration_ms, result)
     SELECT ${numbered("hst")}, ${numbered("srv", `1 + g % ${listedServers}`)},
       CASE WHEN g <= ${listedServers} THEN 'oauth' WHEN g % 90 < 4 THEN ('{health,doctor,conformance,compat}'::text[])[1 + g % 90]
         WHEN g % 9 < 7 THEN 'tool' WHEN g % 9 = 7 THEN 'prompt' ELSE 'resource' END,
       CASE WHEN g % 1000 = 1 THEN 'failed' WHEN g % 13 = 0 THEN 'stopped' ELSE 'ok' END,
       'Done', :owner, ${at}, 12, '{"content":[]}' FROM ${range}`,
    `INSERT INTO conformance_runs (id, project_id, server_id, target, source, verification, status, requested_suites, start_hash,
       outcome, tally, duration_ms, created_by, created_at, heartbeat_at, completed_at)
     SELECT ${numbered("cfr")}, :project, ${numbered("srv", `1 + g % ${listedServers}`)}, '{"kind":"server","label":"Shop","transport":"http"}', 'api', 'hosted',
       'completed', '{protocol}', 'x', 'passed', ${tally}, 100, :owner, ${at}, ${at}, ${at} FROM ${tenth}`,
    `INSERT INTO conformance_reports (run_id, suite_kind, report, content_hash, tally, duration_ms, created_at)
     SELECT ${numbered("cfr")}, 'protocol', '{}', 'x', ${tally}, 100, ${at} FROM ${tenth}`,
    `INSERT INTO readiness_runs (id, project_id, server_id, server_url, readiness_kind, status, overall_status, include_llm_observations,
       llm_observations, created_by, created_at, updated_at)
     SELECT ${numbered("rdr")}, :project, ${numbered("srv", `1 + g % ${listedServers}`)}, 'https://shop.example/mcp',
       CASE WHEN g <= 100 THEN 'directory-b' ELSE 'directory-a' END,
       'completed', 'ready', false, '{"status":"not-requested"}', :owner, ${at}, ${at} FROM ${tenth}`,
    `INSERT INTO audit_entries (id, organization_id, project_id, at, action, user_id, user_name, way)
     SELECT ${numbered("aud")}, :organization, CASE WHEN g % 3 > 0 THEN :project END, ${at},
       CASE WHEN g % 1000 = 1 THEN 'deleteEvalSuite' ELSE 'launchEvalRun' END,
       CASE WHEN g % 1000 = 2 THEN :other ELSE :owner END, 'owner', 'browser' FROM ${range}`,
    `INSERT INTO notices (id, project_id, type, at, data)
     SELECT ${numbered("evt")}, :project, 'eval_run.ended', ${at}, '{}' FROM ${tenth}`,
    `INSERT INTO webhook_deliveries (id, webhook_id, notice_id, state, attempts, status, created_at)
     SELECT ${numbered("dlv")}, 'whk_1', ${numbered("evt")}, CASE WHEN g % 1000 = 1 THEN 'failed' ELSE 'delivered' END, 1, 200, ${at}
     FROM ${tenth}`,
    `INSERT INTO directory_servers (id, source, name, content, content_hash, search_text, row_type, endpoint_kind, verified_tier, updated_at)
     SELECT ${numbered("cts")}, 'samples', 'com.example/server-' || lpad(g::text, 8, '0'),
       '{"description":"A server","status":"active","remotes":[],"packages":[]}', 'x', 'com.example/server-' || g || ' a server',
       'remote', 'fixed', 'none', ${at} FROM ${tenth}`,
  ],
};
