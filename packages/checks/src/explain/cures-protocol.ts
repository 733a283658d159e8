/** @module Where a server's maker begins to mend what a check of the protocol found: one cure for each check. */

export const protocolCures: Readonly<Record<string, string>> = {
  "server-initialize":
    "Answer initialize with all three fields, and take protocolVersion from the list of revisions that the server really speaks: the one asked for where it is among them, else its newest.",
  ping: "Answer ping with the result {} at any time after the handshake; nothing else belongs into it.",
  "logging-set-level":
    "Handle logging/setLevel and answer {}, or stop advertising the logging capability if nothing is ever logged to clients.",
  "logging-invalid-level":
    "Compare the level with the eight names of the schema before it is set, and answer any other with -32602.",
  "tool-logging-notifications":
    "Send notifications/message while the tool runs, at or above the level the client set, before the result.",
  "completion-complete":
    "Cut completion.values at 100 and say hasMore or total for the rest; without completions, do not advertise them.",
  "capabilities-consistent":
    "Make the capabilities from what is registered: a family with handlers is advertised, one without has neither capability nor entries.",
  "modern-client-handshake":
    "Serve server/discover and the lists to a request that carries version and capabilities in _meta, without waiting for initialize.",
  "modern-server-discover":
    "Return supportedVersions and capabilities from server/discover; where serverInfo is given, it has a name and a version, both texts.",
  "modern-logs-require-log-level":
    "Read the log level from each request's _meta, and send no notifications/message for a request that names none.",
  "protocol-invalid-method-error":
    "Answer a method without a handler with -32601 instead of an empty result or an internal error; over HTTP since 2026-07-28 with status 404.",
  "modern-meta-missing":
    "Check params._meta before the method is looked up, and refuse a request without it: status 400, code -32602.",
  "modern-missing-protocol-version":
    "Refuse a request whose _meta names no protocol version with 400 and -32602; do not fall back to a version of your choice.",
  "modern-missing-client-capabilities":
    "Refuse a request whose _meta has no client capabilities with 400 and -32602; an empty object is enough for it to be served.",
  "modern-client-info-optional":
    "Treat clientInfo in _meta as optional wherever it is read: for logs and statistics, never as a condition.",
  "modern-unsupported-version-error":
    "Answer a version that is not served with 400 and -32022, and put the served ones and the requested one into data.",
  "modern-removed-methods-not-found":
    "Remove the handlers of ping, logging/setLevel, resources/subscribe and resources/unsubscribe where this revision is served, so that they are unknown methods: 404 and -32601.",
  "modern-undeclared-capability-error":
    "Before a tool asks for sampling, look at the capabilities of this very request; without it, answer 400 and -32021 with data.requiredCapabilities.",
  "modern-result-type-present":
    "Set resultType in the one place where results are made: complete for a final result, input_required for one that asks.",
  "modern-protocol-version-header-mismatch":
    "Compare MCP-Protocol-Version with the version in _meta before anything else, and refuse a difference with 400 and -32020.",
  "modern-method-header-mismatch":
    "Compare Mcp-Method with the body's method, and refuse a difference with 400 and -32020.",
  "modern-missing-method-header-rejected":
    "Demand Mcp-Method on every POST with a request; where it is missing, answer 400 and -32020.",
  "modern-method-header-case-mismatch":
    "Compare the value of Mcp-Method exactly as it is; only header names are read without regard to case.",
  "modern-name-header-mismatch":
    "Compare Mcp-Name with params.name, or params.uri of a resource, and refuse a difference with 400 and -32020.",
  "modern-missing-name-header-rejected":
    "Demand Mcp-Name on tools/call, prompts/get and resources/read; where it is missing, answer 400 and -32020.",
  "modern-header-names-case-insensitive":
    "Read headers through your framework's own lookup, which knows no case, not from a map with fixed spellings.",
  "modern-header-value-whitespace":
    "Strip blanks and tabs around header values before comparing; some proxies and raw servers leave them.",
  "modern-name-header-base64":
    "Decode an Mcp-Name that is marked as base64 to UTF-8 before it is compared with the body's name.",
  "modern-param-header-base64":
    "For each parameter with x-mcp-header, read its header, decode base64 where it is marked, compare with the argument, and refuse what differs or is missing with 400 and -32020.",
  "tools-x-mcp-header-declarations-valid":
    "Give each x-mcp-header a name of its own made of token characters, and set it only on strings, integers and booleans below properties, not inside arrays or alternatives.",
  "modern-cache-hint-coverage":
    "Add ttlMs and cacheScope to complete results of server/discover, the lists and resources/read; ttlMs 0 where nothing may be kept.",
  "modern-cache-hint-values-valid":
    "Write ttlMs as a whole number of milliseconds from 0 on, and cacheScope as public or private, in lower case.",
  "modern-cache-scope-stable-across-pages":
    "Decide the cacheScope for the list, not for the page, and repeat it on every page.",
  "mrtr-elicitation":
    "Return resultType input_required with an elicitation/create under a key of your own, and go on when the same request comes again with inputResponses under that key.",
  "mrtr-sampling":
    "Return resultType input_required with a sampling/createMessage, and read the model's message from inputResponses when the request comes again.",
  "mrtr-list-roots":
    "Return resultType input_required with a roots/list, and read the roots from inputResponses when the request comes again.",
  "mrtr-request-state":
    "Write requestState as one text that holds all that is needed to go on, and accept it back exactly as it was sent.",
  "mrtr-multiple-inputs":
    "Put all questions that do not depend on each other into one inputRequests, each under its own key, and wait for all of them.",
  "mrtr-multi-round":
    "Put what the first round brought into a new requestState with the second questions; do not reuse the first state.",
  "mrtr-prompt": "Let prompts/get run through the same code of rounds as tools/call.",
  "mrtr-result-type":
    "Set resultType to input_required whenever inputRequests or requestState are in the result.",
  "mrtr-tampered-state":
    "Sign or encrypt requestState, verify it before it is used, and answer what does not verify with an error.",
  "mrtr-capability-scope":
    "Choose the questions by the capabilities of this request; where the needed one is missing, answer -32021 instead of asking.",
  "mrtr-missing-response":
    "When a key that was asked for is missing from inputResponses, return input_required with that question again.",
  "mrtr-extra-keys": "Read only the keys that were asked for from inputResponses, and ignore the others.",
  "elicitation-decline-handled":
    "Handle the actions decline and cancel as ordinary ends: a result that says what was not done, no exception.",
  "mrtr-invalid-answers":
    "Check each answer against the schema that was asked with before it is used; refuse it with -32602, or ask again.",
  "mrtr-not-on-other-methods":
    "Ask for input only while serving tools/call, prompts/get and resources/read; the lists and discovery answer at once.",
  "tools-list":
    'Return result.tools as an array, also when it is empty, and give each tool a name and an inputSchema; {"type":"object"} is the least.',
  "tools-input-schemas-valid":
    "Write type object at the top, keep $ref to #/$defs of the same schema, and check the schema with a validator of its dialect.",
  "output-schemas-valid":
    "Check the output schema with a validator of JSON Schema 2020-12, or name its dialect in $schema.",
  "tools-name-format":
    "Rename the tool with letters, digits, _, - and . only, at most 128 of them; a readable name belongs into title.",
  "tools-names-unique":
    "Give tools that come from several modules a prefix each, and refuse a second registration of a name.",
  "tools-schema-keywords-preserved":
    "Pass the schema on as it is; a library that converts it through its own types drops keywords such as $defs, if or dependentSchemas.",
  "tool-output-schema-conformant":
    "Validate structuredContent against outputSchema before it is returned, and correct whichever of the two is wrong; most often a field is null or missing that the schema requires.",
  "tools-call-text":
    'Return content entries {type: "text", text}, with a text and never a bare string or object.',
  "tools-call-image": 'Return {type: "image", data, mimeType} with data in base64, without a data: prefix.',
  "tools-call-audio": 'Return {type: "audio", data, mimeType} with data in base64, without a data: prefix.',
  "tools-call-embedded-resource":
    'Return {type: "resource", resource} whose resource has a uri, and text or a base64 blob.',
  "tools-call-mixed": "Make each entry of content whole in itself: one type, and the fields of that type.",
  "tools-call-error":
    "Catch what the tool throws and return it as a result with isError true and a text that helps the model.",
  "tools-call-unknown":
    "Look the name up before the call, and answer an unknown one with -32602 and the name in the message.",
  "tools-call-progress":
    "Send notifications/progress with the progressToken of the request's _meta, each with a greater progress than the one before, and none where no token was given.",
  "tools-call-sampling":
    "Send sampling/createMessage to the client that called, wait for its answer on the same session, and put what it said into the result.",
  "tools-call-elicitation":
    "Send elicitation/create to the client that called, wait for its answer on the same session, and tell in the result what was answered.",
  "elicitation-defaults":
    "Write default beside each field of requestedSchema, in the field's own type; a library that builds the schema may drop it.",
  "elicitation-enums":
    "Write choices as the revision has them: enum, or oneOf with const and title; several as an array whose items are such a choice.",
  "tools-call-invalid-arguments":
    "Validate arguments against inputSchema before the tool runs; answer -32602, or a result with isError that names the field.",
  "tasks-param-ignored":
    "Ignore params.task where no tasks are offered for tools, and answer the call as usual.",
  "resources-list": "Return result.resources as an array, and give each entry a uri and a name.",
  "resources-read-text":
    "Return contents with the uri that was asked for and text in one entry; a listed resource has to be readable.",
  "resources-read-binary":
    "Return contents with the uri that was asked for and the bytes as a base64 blob, not as text.",
  "resources-templates-read":
    "Write uriTemplate by RFC 6570, and let resources/read match a filled-in address against it.",
  "resources-subscribe": "Handle resources/subscribe and answer {}, or do not advertise resources.subscribe.",
  "resources-unsubscribe":
    "Handle resources/unsubscribe as well and answer {}, also for what nobody subscribed to.",
  "resource-not-found":
    "Answer a uri that leads nowhere with the code of the negotiated revision: -32602 since 2026-07-28, before it -32002.",
  "resource-read-no-empty-contents":
    "Where nothing is found, return an error; contents: [] says that the document is there and empty.",
  "resource-error-uri-echo": "Put the uri that was asked for into data.uri of the error.",
  "prompts-list": "Return result.prompts as an array, and give each entry a name.",
  "prompts-get-simple":
    "Return messages in which each has a role of user or assistant and one content object, not a bare string.",
  "prompts-get-args":
    "Fill the arguments into the texts of the messages; each message has a role of user or assistant and one content object.",
  "prompts-get-embedded-resource":
    'Embed a resource as content {type: "resource", resource} with uri, mimeType and text or blob.',
  "prompts-get-image":
    'Return an image as content {type: "image", data, mimeType} with data in base64, without a data: prefix.',
  "prompts-get-missing-argument":
    "Check the required arguments before the messages are made, and answer a missing one with -32602 and its name.",
  "get-stream-or-405":
    "Answer GET on the endpoint with text/event-stream, or with 405 where the server has nothing to say of its own; a page or 404 misleads clients.",
  "server-accepts-multiple-post-streams":
    "Keep the state of a request with the request: one transport or response object shared by all loses answers when they overlap.",
  "server-sse-streams-functional":
    "Write the answer as data: lines with an empty line behind, and flush before the stream ends; a compressing proxy may hold it back.",
  "post-response-content-type":
    "Set Content-Type to application/json or text/event-stream on every answer to a request, also through your error handler.",
  "localhost-host-rebinding-rejected":
    "Compare Origin with the list of allowed ones before the body is read, on POST and GET, and answer others with 403; most SDKs have an option for it that is off.",
  "origin-invalid-403":
    "Answer a refused Origin with 403 on every method; other statuses make clients start a new session or try again.",
  "localhost-host-valid-accepted":
    "Put the server's own names with their port (localhost, 127.0.0.1, [::1], the public one) on the list of allowed hosts and origins.",
  "session-id-visible-ascii": "Make the session id of a random UUID or of hexadecimal digits.",
  "session-initialized-accepted": "Accept notifications/initialized with 202 and no body.",
  "session-delete":
    "Handle DELETE: forget the session and answer with success, or answer 405 where clients may not end it.",
  "session-terminated-404":
    "Look the session up on every request, and answer one that is gone with 404, so that the client starts anew.",
  "session-is-no-login":
    "Check the token of every request; the session id only says which conversation it is, and belongs to one user.",
  "sse-polling-resume":
    "Begin the stream with an event that has an id and empty data, keep what follows for a while, and answer GET with Last-Event-ID with the rest.",
  "notification-unanswered":
    "Write nothing for a message without an id, not even an error for a method that is not known; over HTTP answer 202.",
  "cancelled-silent":
    "Stop the work when notifications/cancelled names it, and drop what it would still send, its answer and its progress.",
  "stdio-shutdown": "End the process when stdin ends: close timers, sockets and children that keep it alive.",
  "modern-subscription-ack-precedes-notifications":
    "Send the acknowledgement as the first message on the stream, before anything that happened meanwhile.",
  "modern-subscription-filter-and-tagging":
    "Put the subscription's id into _meta of every message on its stream, and send only the kinds that were asked for.",
  "modern-subscription-list-changed-delivery":
    "Tell every open subscription that asked for it when tools or prompts are added, changed or removed.",
  "modern-subscription-graceful-close":
    "Before the server ends the stream, send the result of the request; without it clients take the end for a fault and come back.",
  "listen-resource-updates": "Acknowledge the subscription to resources at once, before the first update.",
  "initialize-unknown-version":
    "Answer a version that is not served with the newest that is; never repeat what the client asked for unseen.",
  "initialize-version-echo":
    "Answer with the requested version whenever it is served; a fixed newest version shuts older clients out.",
  "protocol-version-header-invalid":
    "Compare MCP-Protocol-Version with the list of served revisions, and answer others with 400.",
  "modern-missing-version-header":
    "Refuse a request without MCP-Protocol-Version with 400, unless you serve clients from before 2025-06-18 on purpose.",
  "stateless-first-request":
    "Build what a request needs from its own _meta; nothing may depend on a request that came before it on the connection.",
  "lists-stable":
    "List the same to everybody who may see the same: no random order, and nothing registered as a side effect of a call.",
  "capabilities-not-remembered":
    "Read the client's capabilities from each request, and keep none of them on the connection.",
  "reserved-error-codes":
    "Choose codes outside -32020 to -32099 for errors of your own, and use those of the specification only in its meaning.",
  "sse-event-ids-unique":
    "Count the ids of events for the session, not for each stream, or begin them with the stream's own name.",
  "get-stream-no-responses":
    "Send answers on the stream of the POST that asked; the one that GET opens is for what the server begins.",
  "server-request-ids":
    "Number the server's own requests with one counter for the session, as whole numbers or texts.",
  "server-cancels-own-only":
    "Send notifications/cancelled only for requests that the server sent and that are still open, or since 2026-07-28 for a subscription that it ends; to end a client's call, answer it.",
  "progress-stops":
    "Stop reporting progress before the answer is sent; a timer that goes on is the usual cause.",
  "stream-notifications-related":
    "Send on a request's stream only what belongs to that request; what concerns others goes to their streams.",
  "listen-stream-only-asked":
    "Keep progress and logs on the stream of the request they belong to, off the listening stream.",
  "input-required-not-empty":
    "Give a result with input_required at least one question or a requestState; without both, the client can only give up.",
  "sampling-tools-respected":
    "Leave tools and toolChoice out of sampling/createMessage unless the client declares sampling.tools.",
  "elicitation-no-secrets":
    "Take the secret out of the form: send people to a page of your own (mode url) or use OAuth.",
  "resource-uris-valid":
    "Encode blanks and other characters of names in percent notation, and begin with a scheme.",
  "meta-keys-valid":
    "Rename the key: an optional prefix such as com.example/ and a name of letters, digits, -, _ and . that begins and ends with a letter or digit.",
  "trace-context-format":
    "Write traceparent as 00-, 32 hexadecimal digits, -, 16 of them, -, two of them; let a tracing library do it.",
  "extension-ids-valid": "Name the extension with a prefix of your own, such as com.example/feature.",
  "prompt-content-complete":
    "Add the mimeType to images, audio and embedded resources, and the uri and text or blob to the latter.",
  "readiness-tool-order-deterministic":
    "Sort the tools by something that does not change, such as the order of registration or the name.",
  "readiness-metadata-quality":
    "Give the server a title and a description or instructions, and tools a description of each parameter.",
  "readiness-deprecated-feature-use":
    "Move to what replaces the deprecated feature while older clients can still be served both ways.",
  "readiness-cache-ttl-useful": "Set a ttlMs of minutes on lists that hardly change.",
  "readiness-oauth-iss-advertised":
    "Send iss with every authorization response, and advertise authorization_response_iss_parameter_supported.",
  "readiness-parse-error-handling": "Answer a body that is not JSON with -32700 and status 400.",
  "readiness-session-termination": "Handle DELETE with the session id, and forget the session.",
  "readiness-resource-error-echoes-uri": "Put the uri that was asked for into data.uri of the error.",
};
