/** @module Why a kind of check matters to those who use a server, and where its maker begins to mend it. */
import type { AppsCategory } from "../apps/apps-check.ts";
import type { OauthCategory } from "../oauth/oauth-check.ts";
import type { ProtocolCategory } from "../protocol/protocol-check.ts";
import type { TasksCategory } from "../tasks/tasks-check.ts";

interface WhyAndHow {
  why: string;
  mend: string;
}

export interface Categories {
  protocol: ProtocolCategory;
  apps: AppsCategory;
  tasks: TasksCategory;
  oauth: OauthCategory;
}

type Table = { [Suite in keyof Categories]: Record<Categories[Suite], WhyAndHow> };

export const whyAndHow: Table = {
  protocol: {
    core: {
      why: "Opening a connection is the first thing every client does; where versions or capabilities are told wrongly, it gives up or asks for what is not there.",
      mend: "Look at how the server answers the opening request: let it take the version and the capabilities from one declaration, and answer the small requests (ping, completion, log levels) exactly as advertised.",
    },
    protocol: {
      why: "Clients match answers to requests and trust that each message has its shape; what breaks the envelope makes them wait for ever, drop the answer or end the connection.",
      mend: "Leave the envelope (jsonrpc, id, result or error, _meta) to the newest release of your SDK; where it is written by hand, compare the message of the run's evidence with the sentence above.",
    },
    tools: {
      why: "Tools are what models call: a list or a result in the wrong shape hides a tool, or hands the model something it cannot read.",
      mend: "Compare the tool's definition and the result in the evidence with the schema; tell a tool's own failure with isError and a text, and keep JSON-RPC errors for requests that cannot be served.",
    },
    resources: {
      why: "Hosts read resources by the URI that the server gave; a URI that is none, or an empty answer for what is missing, looks like an empty document to the person.",
      mend: "List only what can be read, return the contents under the URI that was asked for, and refuse the others with the code of the revision.",
    },
    prompts: {
      why: "A prompt becomes messages that a host shows and sends as they are; a part that is missing breaks the conversation it begins.",
      mend: "Let every message have a role and complete content, and refuse a call whose required argument is missing with -32602.",
    },
    transport: {
      why: "Proxies, browsers and SDKs stand between client and server; each of them trusts the status, headers and framing, and fails in its own way where they are wrong.",
      mend: "Look at the HTTP answer or the line on stdout in the evidence; most often a framework or a proxy in front sets another status, content type or header, or a log goes to stdout.",
    },
    security: {
      why: "A server that answers anybody who asks can be used by a page in its user's own browser, or makes people type secrets where servers read them.",
      mend: "Check Origin and Host of every request against the names the server is known by, and ask for secrets on a page of your own, never in a form.",
    },
  },
  apps: {
    tools: {
      why: "A host finds the widget of a tool by what the tool says of it; said wrongly, people see plain text or nothing.",
      mend: "Name the document under _meta.ui of the tool, with a ui:// address that resources/list and resources/read know.",
    },
    resources: {
      why: "The document runs in a closed frame with just the rights it declares; a wrong type or a missing source leaves it blank.",
      mend: "Serve it as text/html;profile=mcp-app, and list every origin that it loads from or talks to in its csp.",
    },
  },
  tasks: {
    dispatch: {
      why: "The two revisions have different tasks; a server that mixes them is asked in one way and answers in the other.",
      mend: "Advertise tasks as the negotiated revision does, and only so.",
    },
    creation: {
      why: "A client that did not ask for a task waits for a result; one that did asks later by the id it got.",
      mend: "Decide by each request alone whether it becomes a task, and answer with a whole task or a whole result.",
    },
    lifecycle: {
      why: "Between two looks a task is all the client has: where it is lost, moves backwards or hides its result, the work is done and nobody gets it.",
      mend: "Store the task before it is answered, keep it for its time to live, and let each status lead only forward.",
    },
  },
  oauth: {
    server: {
      why: "The challenge is how a client learns where people sign in, and the check of the token is all that guards the server.",
      mend: "Answer each request without a good token with 401 and a WWW-Authenticate that names the resource's metadata, and check issuer, audience, expiry and scope of the token yourself.",
    },
    grant: {
      why: "These are the ways by which codes and tokens are stolen; one that is open lets somebody else act as your user.",
      mend: "It is set at the authorization server: exact redirect URIs, PKCE with S256 required, codes good once, clients known.",
    },
    metadata: {
      why: "Clients trust the documents and nothing else; one that contradicts its address sends people to the wrong place, or is refused.",
      mend: "Publish the documents where the specification looks for them, with an issuer that is exactly the address they were asked under.",
    },
  },
};
