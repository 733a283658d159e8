/** @module Suites with cases, runs, iterations and traces. */
import type { Rows } from "./filled-project.ts";
import { at, numbered, range, tenth } from "./server-rows.ts";

const listedSuites = 20;
const settings = `'{"minimumAccuracy":null,"minimumIterations":null,"matchOptions":null,"checks":[],"judge":{"enabled":false,"model":null,"autoRun":false,"threshold":0.7},"failOnToolError":true}'`;
/** The run of an iteration: every tenth one is of the first run, which grows large; the others are ten to a run. */
const runOf = numbered("run", "CASE WHEN g % 10 = 0 THEN 1 ELSE g / 10 * 10 + 1 END");

export const evalRows: Rows = {
  before: [
    `INSERT INTO eval_suites (id, project_id, name, origin, settings, created_by, created_at, updated_at)
     SELECT ${numbered("ste")}, :project, 'Suite ' || g, 'app', ${settings}, :owner, ${at}, ${at}
     FROM generate_series(1, ${listedSuites}) AS g`,
    `INSERT INTO eval_cases (id, suite_id, declared_id, position, title, definition, content_hash, created_at, updated_at)
     SELECT ${numbered("cas")}, ${numbered("ste", `1 + g % ${listedSuites}`)}, 'case-' || g, g, 'Case ' || g, '{"steps":[]}', 'x' || g, ${at}, ${at}
     FROM generate_series(1, ${listedSuites * 10}) AS g`,
  ],
  each: [
    `INSERT INTO eval_suites (id, project_id, name, origin, settings, created_by, created_at, updated_at)
     SELECT ${numbered("ste_n")}, :project, 'Suite n' || g, 'app', ${settings}, :owner, ${at}, ${at} FROM ${tenth}`,
    `INSERT INTO eval_runs (id, project_id, suite_id, run_number, suite_name, status, result, source, target, minimum_pass_rate, planned,
       summary, is_partial, commit_sha, group_label, surface, created_by, created_at, started_at, completed_at)
     SELECT ${numbered("run")}, :project, ${numbered("ste", `1 + g / 10 % ${listedSuites}`)}, g, 'Suite',
       CASE WHEN g % 5000 = 1 THEN 'failed' ELSE 'completed' END,
       CASE WHEN g % 5000 = 1 THEN NULL WHEN g % 3 = 0 THEN 'failed' ELSE 'passed' END, 'api',
       '{"kind":"servers","id":null,"name":"Shop","servers":[]}', 80, 10,
       CASE WHEN g % 5000 <> 1 THEN '{"total":10,"passed":9,"failed":1,"passRate":0.9,"excluded":0}'::jsonb END, g % 11 = 0,
       CASE WHEN g % 20 = 1 THEN 'c0ffee' || g / 1000 END, CASE WHEN g % 1000 = 1 THEN 'nightly' END,
       'api', :owner, ${at}, ${at}, ${at} FROM ${tenth}`,
    `INSERT INTO eval_iterations (id, run_id, ordinal, case_key, title, iteration_number, model, provider, status, result, started_at,
       duration_ms, tokens_used, actual_tool_calls, has_trace)
     SELECT ${numbered("itr")}, ${runOf}, g, 'case-' || g % 10, 'Case ' || g % 10, 1, 'fettle/rules-1', 'fettle',
       CASE WHEN g % 70 = 0 THEN 'timed_out' ELSE 'completed' END,
       CASE WHEN g % 70 = 0 THEN NULL WHEN g % 10 = 3 OR g % 500 = 0 THEN 'failed' ELSE 'passed' END, ${at}, 12, 10, '[]', g % 7 > 0
     FROM ${range}`,
    `INSERT INTO eval_iteration_traces (iteration_id, trace, bytes, created_at)
     SELECT ${numbered("itr")}, '{"messages":[{"role":"user","text":"Is the book there?"}]}', 10, ${at} FROM ${range} WHERE g % 7 > 0`,
    `INSERT INTO insight_findings (project_id, family_kind, family_id, family_label, finding_id, fingerprint, finding, severity, last_scope_kind,
       status, occurrence_count, last_count, first_seen_at, last_seen_at, last_scope_id, updated_at, dismissed_at)
     SELECT :project, 'suite', CASE g % 3 WHEN 0 THEN :project WHEN 1 THEN :scenario ELSE 'ste_00000001' END, 'Suite',
       'rf_' || lpad(to_hex(g), 16, '0'), 'fp' || g,
       json_build_object('id', 'rf_' || lpad(to_hex(g), 16, '0'), 'signalFingerprint', 'fp', 'title', 'A tool fails', 'category', 'unknown',
         'attribution', 'unknown', 'actionTarget', 'investigate', 'actionability', 'informational', 'severity', 'low', 'confidence', 'low',
         'observed', 'Seen', 'recommendation', 'Look', 'acceptanceCriteria', '[]'::json,
         'affected', json_build_object('count', 1, 'total', 2, 'unit', 'iteration'), 'evidence', '[]'::json),
       CASE WHEN g % 1000 = 1 THEN 'high' ELSE 'low' END, 'eval_run', CASE WHEN g % 1000 = 11 THEN 'regressed' ELSE 'recurring' END, 1, 1,
       ${at}, ${at}, 'run_1', ${at}, CASE WHEN g % 1000 = 21 THEN ${at} END FROM ${tenth}`,
  ],
};
