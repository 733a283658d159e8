/** @module Where a server's maker begins to mend what a check of widgets, tasks or sign-in found: one cure for each check. */

export const suiteCures: Readonly<Record<string, string>> = {
  "ui-tools-present": "Name the widget's document as _meta.ui.resourceUri of the tool, in tools/list itself.",
  "ui-tool-metadata-valid":
    "Write the document's address with ui:// in one place, and visibility as a list of model, app or both.",
  "ui-tool-input-schema-valid": "Give the tool an inputSchema with type object, even where it takes nothing.",
  "ui-app-only-tools-reachable":
    "Call the tool from some widget's source by its name, or let the model see it too (visibility).",
  "ui-openai-dialect-valid":
    "Mend the openai/ keys that the finding names, and add _meta.ui beside them, so that hosts of MCP Apps find the widget too.",
  "ui-listed-resources-valid":
    "List the document under a ui:// address with the MIME type text/html;profile=mcp-app.",
  "ui-resources-readable":
    "Let resources/read answer each address that a tool's _meta names; most often the two are spelled differently.",
  "ui-resource-contents-valid":
    "Return exactly one entry with the address asked for, text/html;profile=mcp-app, and a whole HTML document.",
  "ui-resource-meta-valid":
    "Write csp as lists of origins, permissions as objects, domain as a text and prefersBorder as a boolean, below _meta.ui.",
  "ui-widget-boots":
    "Look at the widget with `fettle apps render` or in the inspector: its console says what stops it before it sends ui/initialize and ui/notifications/initialized. Often a script or font is loaded from an origin that _meta.ui.csp does not name.",
  "ui-resource-listed-for-tool":
    "Add the document to resources/list, so that hosts can fetch and check it ahead.",
  "ui-csp-domains-wellformed":
    "Write origins alone (https://cdn.example.com, https://*.example.com), without paths, and name each one that the document loads from or talks to.",
  "tasks-wire-resolvable":
    "Advertise tasks in one way: capabilities.tasks in 2025-11-25, the extension in 2026-07-28.",
  "tasks-declaration-hygiene":
    "This looks at our own requests; where it is told, a proxy between us changes what is sent.",
  "tasks-result-type-discipline":
    "Answer with a whole task (id, status, times) or with the tool's own result; never with parts of both.",
  "tasks-undeclared-creation-refused":
    "Look at this request's declaration before a task is made; without it run the tool at once, or refuse.",
  "tasks-per-request-opt-in":
    "Decide for each request by itself, and keep nothing of an earlier one's declaration.",
  "tasks-legacy-param-ignored":
    "Ignore params.task in 2026-07-28; only the declaration of the extension asks for a task.",
  "tasks-mrtr-before-create":
    "Ask with input_required before the task is made, and make it from the request that brings the answers.",
  "tasks-durable-create":
    "Store the task before its id is answered, where every process that serves tasks/get can find it.",
  "tasks-starts-working":
    "Create the task with the status working, and refuse every change once it is completed, failed or cancelled.",
  "tasks-get-result-type":
    "Set resultType to complete in answers of tasks/get, whatever the task's own status is.",
  "tasks-ttl-shape":
    "Use the names of the negotiated revision: ttlMs and pollIntervalMs since 2026-07-28, before it ttl and pollInterval.",
  "tasks-ttl-integer-shape":
    "Round times to whole milliseconds; null is only for a time to live without limit.",
  "tasks-inline-result":
    "Put the result of a completed task into tasks/get since 2026-07-28; before it, answer tasks/result with it and name the task in _meta.",
  "tasks-status-payload-shape":
    "Let failed bring error, input_required its requests and completed the result, and keep each off the other statuses.",
  "tasks-invalid-task-id-rejected":
    "Answer an id that is not known, or somebody else's, with -32602 from every method of tasks.",
  "tasks-cancel-ack-shape":
    "Answer tasks/cancel since 2026-07-28 with an empty result, also when the task is over; before it with the cancelled task, and -32602 when it is over.",
  "tasks-no-early-expiry": "Count the time to live from the creation, and delete nothing before it is over.",
  "tasks-failed-vs-completed":
    "Complete the task with isError where the tool itself failed; let it be failed only where a call would have been a JSON-RPC error.",
  "tasks-undeclared-capability-rejected":
    "Check the declaration of the extension in every method of tasks, and refuse a request without it with -32021.",
  "tasks-undeclared-capability-names-requirements":
    "Put the extension io.modelcontextprotocol/tasks into data.requiredCapabilities of that error.",
  "tasks-mcp-name-routing": "Compare Mcp-Name with params.taskId, and refuse a difference with -32020.",
  "tasks-input-required-update-completes":
    "Answer tasks/update with an empty result, hand the answers to the waiting work, and let it go on to its end.",
  "tasks-partial-input":
    "Keep the questions by their keys, strike out those that were answered, and stay input_required until none is left.",
  "tasks-removed-methods":
    "Remove tasks/result and tasks/list where 2026-07-28 is served, so that they are unknown methods.",
  "tasks-no-request-state": "Leave requestState out of tasks: whatever it held belongs to the stored task.",
  "tasks-no-related-task-meta":
    "Leave io.modelcontextprotocol/related-task out of _meta where 2026-07-28 is spoken.",
  "tasks-status-notifications":
    "Send the whole task as tasks/get would tell it with each change, and nothing else on that stream.",
  oauth_unauthenticated_challenge:
    "Answer a request without a token with 401 and WWW-Authenticate: Bearer, before the body is looked at.",
  oauth_challenge_on_get:
    "Put the check of the token in front of every method of the endpoint, GET and DELETE too.",
  oauth_resource_metadata_challenge:
    'Add resource_metadata="https://…" with the absolute address of the metadata to WWW-Authenticate.',
  oauth_invalid_token:
    'Verify the token\'s signature, or ask the authorization server about it, and answer 401 with error="invalid_token" where it is not good.',
  oauth_audience_mismatch:
    "Compare the token's audience with this server's own address, and refuse tokens that were made for others.",
  oauth_stale_session_rejection:
    "Answer a session id that is not known with 404 after the token was checked; do not let the lookup throw.",
  oauth_insufficient_scope_challenge:
    'Answer want of scope with 403 and WWW-Authenticate: Bearer error="insufficient_scope", scope="…".',
  oauth_dcr_http_redirect_uri:
    "Let the authorization server register only https addresses, loopback http and private schemes of apps.",
  oauth_invalid_client: "Let the token endpoint answer a client that is not known with invalid_client.",
  oauth_invalid_authorize_redirect:
    "Compare redirect_uri with the registered ones exactly, and show an error page instead of redirecting.",
  oauth_invalid_redirect:
    "Keep the redirect_uri with the code, and refuse a token request that names another with invalid_grant.",
  oauth_pkce_wrong_verifier:
    "Hash code_verifier with SHA-256, compare it with the stored code_challenge, and answer a difference with invalid_grant.",
  oauth_pkce_missing_verifier:
    "Where a code was asked for with a code_challenge, refuse to trade it without a code_verifier.",
  oauth_pkce_plain_refused: "Allow S256 alone, and advertise only that in code_challenge_methods_supported.",
  oauth_cimd_http_client_id: "Accept only https addresses as client ids that are documents.",
  oauth_token_format:
    "Answer the token request with access_token and token_type as texts, and expires_in as a number without quotes.",
  oauth_refresh_rotation:
    "Give public clients a new refresh token with each use, and refuse the old one afterwards.",
  oauth_code_replay:
    "Mark the code as used in the same step that trades it, refuse the second use, and revoke what the first one got.",
  oauth_metadata_json:
    "Serve the metadata documents as application/json with Access-Control-Allow-Origin: *.",
  oauth_metadata_issuer:
    "Write issuer in the document exactly as in the address it was found by: the same host, path and closing slash.",
  oauth_iss_when_advertised:
    "Add iss to every authorization response, errors included, or stop advertising the parameter.",
};
