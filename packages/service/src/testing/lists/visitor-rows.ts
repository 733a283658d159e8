/** @module Conversations: people's own, others', visitors'; personas, swarms, journeys, their runs and calibrations. */
import type { Rows } from "./filled-project.ts";
import { at, half, numbered, range, tenth } from "./server-rows.ts";

const counted = `'{"states":{"pending":0,"running":0,"succeeded":10,"failed":0,"rate_limited":0},"goal":null,"gradings":{"graded":0,"pending":0,"broken":0},"missed":[],"costUsd":null,"totalTokens":null,"targets":[]}'`;
const shelved = "project_id, name, created_by, created_at, updated_at";
const budget = "environment_ids, sessions_per_target, max_turns";
const chat = `id, project_id, created_by, origin, title, status, visibility, is_pinned, model, tool_mode, settled, message_count, turn_count,
  first_message, created_at, last_activity_at`;

export const visitorRows: Rows = {
  before: [
    `INSERT INTO personas (id, ${shelved}, slug, role, notes, source, avatar_shape, avatar_palette)
     VALUES ('per_1', :project, 'Ann', :owner, now(), now(), 'ann-1', 'Buyer', '', 'manual', 0, 0)`,
    `INSERT INTO swarms (id, ${shelved}, ${budget}) VALUES ('swm_1', :project, 'Buyers', :owner, now(), now(), '{}', 1, 3)`,
    `INSERT INTO journeys (id, ${shelved}, ${budget}, goal, persona_id, swarm_id, rubric)
     VALUES ('jny_1', :project, 'Buy', :owner, now(), now(), '{}', 1, 3, 'Buy a book', 'per_1', 'swm_1', '[]')`,
  ],
  each: [
    `INSERT INTO chat_sessions (${chat})
     SELECT ${numbered("cht")}, :project, CASE WHEN g % 2 = 0 THEN :owner ELSE :other END, 'playground', 'Chat ' || g,
       CASE WHEN g % 1000 = 2 THEN 'archived' ELSE 'active' END, CASE WHEN g % 1000 = 1 THEN 'project' ELSE 'private' END, g % 20000 = 4,
       'fettle/rules-1', 'auto', '{}', 2, 1, 'Hello', ${at}, ${at} FROM ${range}`,
    `INSERT INTO chat_sessions (${chat})
     SELECT ${numbered("cht_v")}, :project, NULL, 'scenario', NULL, CASE WHEN g % 1000 = 5 THEN 'archived' ELSE 'active' END, 'private', false,
       'fettle/rules-1', 'auto', '{}', 2, 1, 'Hello', ${at}, ${at} FROM ${half}`,
    `INSERT INTO scenario_sessions (id, scenario_id, access_version, population, auth_type, recency, ended, latencies, rating, rating_count,
       is_negative, started_at, last_activity_at)
     SELECT ${numbered("cht_v")}, :scenario, 1, CASE WHEN g % 1000 = 1 THEN 'synthetic' ELSE 'real' END,
       CASE WHEN g % 1000 = 7 THEN 'signedIn' ELSE 'guest' END, 'new', CASE WHEN g % 1000 <> 3 THEN 'visitor' END, '{100}',
       CASE WHEN g % 1000 = 9 THEN 0 END, (g % 1000 = 9)::int, g % 1000 = 9, ${at}, ${at} FROM ${half}`,
    `INSERT INTO chat_messages (session_id, index, turn_id, message, words)
     SELECT 'cht_00000002', g, 'trn_1', '{"role":"user","text":"Hello"}', 'Hello' FROM ${range} WHERE :to > 1 AND g % 10 = 0`,
    `INSERT INTO personas (id, ${shelved}, slug, role, notes, source, avatar_shape, avatar_palette)
     SELECT ${numbered("per_n")}, :project, 'Ann', :owner, ${at}, ${at}, 'ann-n' || g, 'Buyer', '', 'manual', 0, 0 FROM ${tenth}`,
    `INSERT INTO swarms (id, ${shelved}, ${budget}) SELECT ${numbered("swm_n")}, :project, 'Buyers', :owner, ${at}, ${at}, '{}', 1, 3 FROM ${tenth}`,
    `INSERT INTO journeys (id, ${shelved}, ${budget}, goal, persona_id, swarm_id, rubric)
     SELECT ${numbered("jny_n")}, :project, 'Buy', :owner, ${at}, ${at}, '{}', 1, 3, 'Buy a book', 'per_1',
       CASE WHEN g % 1000 = 1 THEN 'swm_1' END, '[]' FROM ${tenth}`,
    `INSERT INTO journey_runs (id, project_id, journey_id, journey_name, persona, wave_id, status, sessions_total, has_rubric, has_judge,
       persona_driver, request_hash, created_by, created_at, started_at, completed_at, tally)
     SELECT ${numbered("jrn")}, :project, CASE WHEN g % 1000 = 1 THEN 'jny_n_00000001' ELSE 'jny_1' END, 'Buy', '{"id":"per_1","name":"Ann","role":"Buyer"}',
       'wave-' || g, 'completed', 10, false, false, 'rules', 'x', :owner, ${at}, ${at}, ${at}, ${counted} FROM ${tenth}`,
    `INSERT INTO journey_run_snapshots (run_id, snapshot)
     SELECT ${numbered("jrn")}, '{"version":1,"goal":"Buy","sessionsPerTarget":10,"maxTurns":3,"rubric":[],"persona":{"id":"per_1","name":"Ann","role":"Buyer"},"places":[{"target":{"kind":"environment","id":"env_1","name":"Desk"},"model":"fettle/rules-1","modelClass":"rules","driver":"rules"}],"judge":null,"spendLimitUsd":0}' FROM ${tenth}`,
    `INSERT INTO journey_attempts (id, run_id, ordinal, target_index, target_id, target_name, index, state, ended_by, turns, started_at, ended_at)
     SELECT ${numbered("synth")}, ${numbered("jrn", "CASE WHEN g % 10 = 0 THEN 1 ELSE g / 10 * 10 + 1 END")}, g, 0, :environment, 'Desk', g,
       'succeeded', 'persona', 2, ${at}, ${at} FROM ${range}`,
    `INSERT INTO calibrations (id, project_id, status, source, environment_id, environment_name, persona_driver, model, sessions_total,
       created_by, created_at)
     SELECT ${numbered("cal")}, :project, 'canceled', '{"kind":"scenario","id":"scn_1","name":"Desk"}', :environment, 'Desk', 'rules',
       'fettle/rules-1', 10, :owner, ${at} FROM ${tenth}`,
  ],
};
