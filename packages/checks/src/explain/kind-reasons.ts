/** @module Why a kind of check matters to those who use a server. */
import type { AppsCategory } from "../apps/apps-check.ts";
import type { OauthCategory } from "../oauth/oauth-check.ts";
import type { ProtocolCategory } from "../protocol/protocol-check.ts";
import type { TasksCategory } from "../tasks/tasks-check.ts";

export interface Categories {
  protocol: ProtocolCategory;
  apps: AppsCategory;
  tasks: TasksCategory;
  oauth: OauthCategory;
}

type Table = { [Suite in keyof Categories]: Record<Categories[Suite], string> };

export const whyOf: Table = {
  protocol: {
    core: "Opening a connection is the first thing every client does; where versions or capabilities are told wrongly, it gives up or asks for what is not there.",
    protocol:
      "Clients match answers to requests and trust that each message has its shape; what breaks the envelope makes them wait for ever, drop the answer or end the connection.",
    tools:
      "Tools are what models call: a list or a result in the wrong shape hides a tool, or hands the model something it cannot read.",
    resources:
      "Hosts read resources by the URI that the server gave; a URI that is none, or an empty answer for what is missing, looks like an empty document to the person.",
    prompts:
      "A prompt becomes messages that a host shows and sends as they are; a part that is missing breaks the conversation it begins.",
    transport:
      "Proxies, browsers and SDKs stand between client and server; each of them trusts the status, headers and framing, and fails in its own way where they are wrong.",
    security:
      "A server that answers anybody who asks can be used by a page in its user's own browser, or makes people type secrets where servers read them.",
  },
  apps: {
    tools:
      "A host finds the widget of a tool by what the tool says of it; said wrongly, people see plain text or nothing.",
    resources:
      "The document runs in a closed frame with just the rights it declares; a wrong type or a missing source leaves it blank.",
  },
  tasks: {
    dispatch:
      "The two revisions have different tasks; a server that mixes them is asked in one way and answers in the other.",
    creation:
      "A client that did not ask for a task waits for a result; one that did asks later by the id it got.",
    lifecycle:
      "Between two looks a task is all the client has: where it is lost, moves backwards or hides its result, the work is done and nobody gets it.",
  },
  oauth: {
    server:
      "The challenge is how a client learns where people sign in, and the check of the token is all that guards the server.",
    grant:
      "These are the ways by which codes and tokens are stolen; one that is open lets somebody else act as your user.",
    metadata:
      "Clients trust the documents and nothing else; one that contradicts its address sends people to the wrong place, or is refused.",
  },
};
