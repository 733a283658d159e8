/** @module Every page of the web app, as data. Router, navigation, palette, key sheet, titles, serving and tests all read this list. */

/** `app` pages live in the workspace shell; `bare` ones are the small second entry for people not (yet) signed in. */
type PageEntry = "app" | "bare";

type PagePermission = "public" | "signed-in" | "organization-member" | "project-member" | "project-admin";

type PageArea = "entrance" | "organization" | "project" | "account";

export interface PageDeclaration {
  id: string;
  /** `$name` marks a parameter. */
  path: string;
  entry: PageEntry;
  area: PageArea;
  title: string;
  /** One line for the palette and help. */
  about: string;
  /** Who may open it. What they may do there is decided control by control. */
  permission: PagePermission;
  /** What the page wants to hear about besides the person's own account; `{name}` is filled from the path. */
  topics: readonly string[];
  /** The one primary action. In the palette it opens the page with `?do=new`. */
  action?: { label: string };
  empty?: { title: string; text: string };
  /** The key after `g`. */
  jump?: string;
  /** The same in the terminal, or why there is no such command; `{name}` is filled from the path. */
  terminal: { command: string } | { none: string };
  /** Pages that share one row of tabs. */
  tabs?: "organization-settings" | "project-settings" | "account" | "server" | "client" | "environment";
  /** Listed in the side bar of its area, under this name. */
  navigation?: { label: string; order: number };
}

const inPageOnly = (reason: string) => ({ none: reason });

export const pages = [
  {
    id: "setup",
    path: "/setup",
    entry: "bare",
    area: "entrance",
    title: "Set up Fettle",
    about: "Make the first account and organization",
    permission: "public",
    topics: [],
    terminal: { command: "fettle serve" },
  },
  {
    id: "login",
    path: "/login",
    entry: "bare",
    area: "entrance",
    title: "Sign in",
    about: "Sign in to this deployment",
    permission: "public",
    topics: [],
    terminal: { command: "fettle cloud login" },
  },
  {
    id: "join",
    path: "/join",
    entry: "bare",
    area: "entrance",
    title: "Join an organization",
    about: "Accept an invitation",
    permission: "public",
    topics: [],
    terminal: inPageOnly("Invitations are accepted in the browser."),
  },
  {
    id: "cli-authorize",
    path: "/cli/authorize",
    entry: "bare",
    area: "entrance",
    title: "Authorize the command line",
    about: "Let a command line act as you",
    permission: "public",
    topics: [],
    terminal: { command: "fettle cloud login" },
  },
  {
    id: "cli-done",
    path: "/cli/done",
    entry: "bare",
    area: "entrance",
    title: "Return to the terminal",
    about: "The command line has its answer",
    permission: "public",
    topics: [],
    terminal: { command: "fettle cloud whoami" },
  },
  {
    id: "connect",
    path: "/connect",
    entry: "bare",
    area: "entrance",
    title: "Connect a server",
    about: "Opened by the private link of a connection request",
    permission: "public",
    topics: [],
    terminal: inPageOnly("The private link is opened in a browser, where you are signed in."),
  },
  {
    id: "connect-request",
    path: "/connect/request/$request",
    entry: "bare",
    area: "entrance",
    title: "Connect a server",
    about: "Agree to connect a server, and see how far it has come",
    permission: "signed-in",
    topics: [],
    terminal: inPageOnly("Consent is given in the browser; the command line shows the outcome."),
  },
  {
    id: "organization-home",
    path: "/o/$org",
    entry: "app",
    area: "organization",
    title: "Projects",
    about: "Every project of the organization you can see",
    permission: "organization-member",
    topics: ["organization:{org}"],
    action: { label: "New project" },
    empty: {
      title: "No projects yet",
      text: "A project holds MCP servers and everything learned about them: checks, evals, findings.",
    },
    jump: "o",
    terminal: { command: "fettle cloud projects list --org {org}" },
    navigation: { label: "Projects", order: 1 },
  },
  {
    id: "organization-general",
    path: "/o/$org/settings/general",
    entry: "app",
    area: "organization",
    title: "General",
    about: "Name of the organization",
    permission: "organization-member",
    topics: ["organization:{org}"],
    terminal: { command: "fettle cloud organizations list" },
    tabs: "organization-settings",
    navigation: { label: "Settings", order: 3 },
  },
  {
    id: "organization-members",
    path: "/o/$org/settings/members",
    entry: "app",
    area: "organization",
    title: "Members",
    about: "People of the organization, invitations and roles",
    permission: "organization-member",
    topics: ["organization:{org}"],
    action: { label: "Invite" },
    empty: {
      title: "No pending invitations",
      text: "Invite someone by e-mail; they get a link that works once.",
    },
    jump: "m",
    terminal: inPageOnly("Members and invitations are managed in the browser only."),
    tabs: "organization-settings",
    navigation: { label: "Members", order: 2 },
  },
  {
    id: "project-home",
    path: "/p/$pid",
    entry: "app",
    area: "project",
    title: "Home",
    about: "What is in the project, and what to do next",
    permission: "project-member",
    topics: ["project:{pid}"],
    jump: "h",
    terminal: { command: "fettle cloud link {pid}" },
    navigation: { label: "Home", order: 1 },
  },
  {
    id: "servers",
    path: "/p/$pid/servers",
    entry: "app",
    area: "project",
    title: "Servers",
    about: "The MCP servers of the project",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "Add server" },
    empty: {
      title: "No servers yet",
      text: "Save an MCP server by its address, then look at it, call its tools and test it.",
    },
    jump: "s",
    terminal: { command: "fettle cloud projects servers list --project {pid}" },
    navigation: { label: "Servers", order: 2 },
  },
  {
    id: "server-overview",
    path: "/p/$pid/servers/$sid/overview",
    entry: "app",
    area: "project",
    title: "Overview",
    about: "What the server says of itself, and what is wrong with it",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle server doctor --url <address>" },
    tabs: "server",
  },
  {
    id: "server-tools",
    path: "/p/$pid/servers/$sid/tools",
    entry: "app",
    area: "project",
    title: "Tools",
    about: "Call the server's tools",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle tools call --url <address>" },
    tabs: "server",
  },
  {
    id: "server-resources",
    path: "/p/$pid/servers/$sid/resources",
    entry: "app",
    area: "project",
    title: "Resources",
    about: "Read the server's resources",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle resources read --url <address>" },
    tabs: "server",
  },
  {
    id: "server-prompts",
    path: "/p/$pid/servers/$sid/prompts",
    entry: "app",
    area: "project",
    title: "Prompts",
    about: "Render the server's prompts",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle prompts get --url <address>" },
    tabs: "server",
  },
  {
    id: "server-compat",
    path: "/p/$pid/servers/$sid/hosts",
    entry: "app",
    area: "project",
    title: "Hosts",
    about: "On which AI hosts the server works",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle compat --url <address>" },
    tabs: "server",
  },
  {
    id: "server-traffic",
    path: "/p/$pid/servers/$sid/traffic",
    entry: "app",
    area: "project",
    title: "Traffic",
    about: "The messages between Fettle and the server",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle server info --url <address> --rpc" },
    tabs: "server",
  },
  {
    id: "server-settings",
    path: "/p/$pid/servers/$sid/settings",
    entry: "app",
    area: "project",
    title: "Settings",
    about: "Address, headers and sign-in of the server",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: {
      command: "fettle cloud projects servers update --project {pid} --server {sid} --url <address>",
    },
    tabs: "server",
  },
  {
    id: "conformance",
    path: "/p/$pid/conformance",
    entry: "app",
    area: "project",
    title: "Conformance",
    about: "Whether servers keep to the specification: runs made here, and those reported from elsewhere",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "Run checks" },
    empty: {
      title: "No conformance runs yet",
      text: "Run the suites on a saved server, or report what CI and the command line have run.",
    },
    jump: "f",
    terminal: { command: "fettle conformance run --url <address> --project {pid}" },
    navigation: { label: "Conformance", order: 2.5 },
  },
  {
    id: "conformance-run",
    path: "/p/$pid/conformance/$rid",
    entry: "app",
    area: "project",
    title: "Conformance run",
    about: "Every check of the run, with what was on the wire",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle conformance run --url <address> --project {pid}" },
  },
  {
    id: "server-groups",
    path: "/p/$pid/server-groups",
    entry: "app",
    area: "project",
    title: "Server groups",
    about: "Sets of servers, frozen under a name, that environments pin",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "New group" },
    empty: {
      title: "No server groups yet",
      text: "A group freezes a set of saved servers under a name, so that what runs against it always means the same ones.",
    },
    jump: "v",
    terminal: inPageOnly(
      "Groups are made here or over the API; the command line has no command for them yet.",
    ),
    navigation: { label: "Server groups", order: 5 },
  },
  {
    id: "server-group",
    path: "/p/$pid/server-groups/$gid",
    entry: "app",
    area: "project",
    title: "Server group",
    about: "What was frozen, beside what its servers are now",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: inPageOnly(
      "Groups are read here or over the API; the command line has no command for them yet.",
    ),
  },
  {
    id: "skills",
    path: "/p/$pid/skills",
    entry: "app",
    area: "project",
    title: "Skills",
    about: "Instructions a model can be given: your drafts, and what the project shares",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "New skill" },
    empty: {
      title: "No skills yet",
      text: "A skill is a SKILL.md with a name, a description and instructions. Write one here or upload its folder.",
    },
    jump: "l",
    terminal: { command: "fettle cloud skills list --project {pid}" },
    navigation: { label: "Skills", order: 6 },
  },
  {
    id: "skill",
    path: "/p/$pid/skills/$kid",
    entry: "app",
    area: "project",
    title: "Skill",
    about: "What the skill says, and whether it can be pinned",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud skills get --project {pid} --skill {kid}" },
  },
  {
    id: "skill-edit",
    path: "/p/$pid/skills/$kid/edit",
    entry: "app",
    area: "project",
    title: "Edit skill",
    about: "Change the skill's text and files",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: inPageOnly("Skills are written in the browser only; the command line reads them."),
  },
  {
    id: "plugins",
    path: "/p/$pid/plugins",
    entry: "app",
    area: "project",
    title: "Plugins",
    about: "Uploaded bundles of skills and servers, with their versions",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "Upload plugin" },
    empty: {
      title: "No plugins yet",
      text: "A plugin bundles skills and servers under one name, with versions that environments can pin.",
    },
    jump: "n",
    terminal: inPageOnly("Plugins are uploaded and managed in the browser only."),
    navigation: { label: "Plugins", order: 7 },
  },
  {
    id: "plugin",
    path: "/p/$pid/plugins/$plid",
    entry: "app",
    area: "project",
    title: "Plugin",
    about: "The plugin's versions, and what is in each",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "Upload version" },
    empty: {
      title: "No versions yet",
      text: "Upload the plugin's folder or zip archive to add one.",
    },
    terminal: inPageOnly("Plugins are uploaded and managed in the browser only."),
  },
  {
    id: "clients",
    path: "/p/$pid/clients",
    entry: "app",
    area: "project",
    title: "Clients",
    about: "How Fettle presents itself to MCP servers, and which model answers",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "New client" },
    empty: {
      title: "No clients yet",
      text: "A client behaves like a host people use, with its model and settings. Environments run as one.",
    },
    jump: "c",
    terminal: { command: "fettle cloud clients list --project {pid}" },
    navigation: { label: "Clients", order: 3 },
  },
  {
    id: "client-compare",
    path: "/p/$pid/clients/compare",
    entry: "app",
    area: "project",
    title: "Compare clients",
    about: "Where the configs of two clients differ",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud clients get --project {pid} --client <id-or-name>" },
  },
  {
    id: "client-settings",
    path: "/p/$pid/clients/$cid/settings",
    entry: "app",
    area: "project",
    title: "Settings",
    about: "Name and config of the client",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud clients get --project {pid} --client {cid}" },
    tabs: "client",
  },
  {
    id: "client-servers",
    path: "/p/$pid/clients/$cid/servers",
    entry: "app",
    area: "project",
    title: "Servers",
    about: "The servers the client is attached to",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: {
      command:
        "fettle cloud clients servers --project {pid} --client {cid} --server-ids <ids> --expected-config-id <id>",
    },
    tabs: "client",
  },
  {
    id: "environments",
    path: "/p/$pid/environments",
    entry: "app",
    area: "project",
    title: "Environments",
    about: "What suites and journeys run against: a client, and what is pinned on top of it",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "New environment" },
    empty: {
      title: "No environments yet",
      text: "An environment names one client and pins servers, skills and plugins on top of it, so that a run can be repeated.",
    },
    jump: "x",
    terminal: { command: "fettle cloud environments list --project {pid} --include-archived" },
    navigation: { label: "Environments", order: 4 },
  },
  {
    id: "environment-settings",
    path: "/p/$pid/environments/$eid/settings",
    entry: "app",
    area: "project",
    title: "Settings",
    about: "The client it runs as, and what is pinned",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud environments get --project {pid} --environment {eid}" },
    tabs: "environment",
  },
  {
    id: "environment-resolve",
    path: "/p/$pid/environments/$eid/resolve",
    entry: "app",
    area: "project",
    title: "What it runs",
    about: "What a run started now would execute with, or why none could",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud environments resolve --project {pid} --environment {eid}" },
    tabs: "environment",
  },
  {
    id: "tunnels",
    path: "/p/$pid/tunnels",
    entry: "app",
    area: "project",
    title: "Tunnels",
    about: "Servers on people's own machines, reachable while those are connected",
    permission: "project-member",
    topics: ["project:{pid}"],
    empty: {
      title: "No tunnels yet",
      text: "A tunnel lets Fettle reach a server that only your machine can reach. Run this there:",
    },
    terminal: { command: "fettle cloud tunnel --project {pid}" },
    navigation: { label: "Tunnels", order: 2.5 },
  },
  {
    id: "project-general",
    path: "/p/$pid/settings/general",
    entry: "app",
    area: "project",
    title: "General",
    about: "Name, description and visibility of the project",
    permission: "project-member",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud projects update --project {pid} --name <name>" },
    tabs: "project-settings",
    navigation: { label: "Settings", order: 9 },
  },
  {
    id: "project-members",
    path: "/p/$pid/settings/members",
    entry: "app",
    area: "project",
    title: "Access",
    about: "Who may see and change the project",
    permission: "project-member",
    topics: ["project:{pid}"],
    action: { label: "Give access" },
    empty: {
      title: "No one has access of their own",
      text: "Organization members already see a public project. Grants here add admins, editors and guests.",
    },
    terminal: inPageOnly("Project access is managed in the browser only."),
    tabs: "project-settings",
  },
  {
    id: "project-danger",
    path: "/p/$pid/settings/danger",
    entry: "app",
    area: "project",
    title: "Danger",
    about: "Delete the project",
    permission: "project-admin",
    topics: ["project:{pid}"],
    terminal: { command: "fettle cloud projects delete --project {pid}" },
    tabs: "project-settings",
  },
  {
    id: "account-profile",
    path: "/account/profile",
    entry: "app",
    area: "account",
    title: "Profile",
    about: "Your name, address and password",
    permission: "signed-in",
    topics: [],
    jump: "a",
    terminal: { command: "fettle cloud whoami" },
    tabs: "account",
  },
  {
    id: "account-keys",
    path: "/account/keys",
    entry: "app",
    area: "account",
    title: "API keys",
    about: "Make and revoke keys for scripts and CI",
    permission: "signed-in",
    topics: [],
    action: { label: "Create key" },
    empty: {
      title: "No API keys yet",
      text: "A key lets a script, CI job or the command line act as you in one organization.",
    },
    jump: "k",
    terminal: inPageOnly("Keys are made and revoked only here: a key cannot manage keys."),
    tabs: "account",
  },
  {
    id: "account-devices",
    path: "/account/devices",
    entry: "app",
    area: "account",
    title: "Devices",
    about: "Browsers and command lines signed in as you",
    permission: "signed-in",
    topics: [],
    empty: {
      title: "Only this browser",
      text: "Other browsers and command lines you sign in with appear here.",
    },
    jump: "d",
    terminal: { command: "fettle cloud logout" },
    tabs: "account",
  },
  {
    id: "account-appearance",
    path: "/account/appearance",
    entry: "app",
    area: "account",
    title: "Appearance",
    about: "Theme, density, motion and keyboard",
    permission: "signed-in",
    topics: [],
    terminal: inPageOnly("Appearance is kept in this browser."),
    tabs: "account",
  },
] as const satisfies readonly PageDeclaration[];

type Page = (typeof pages)[number];
export type PageId = Page["id"];
export type AppPageId = Extract<Page, { entry: "app" }>["id"];
export type BarePageId = Extract<Page, { entry: "bare" }>["id"];

type NamesIn<Path extends string> = Path extends `${string}$${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | NamesIn<`/${Tail}`>
    : Rest
  : never;

/** The parameters a page's path takes, by name. */
export type PageParameters<Id extends PageId> = Record<NamesIn<Extract<Page, { id: Id }>["path"]>, string>;

const byId = new Map<string, PageDeclaration>(pages.map((page) => [page.id, page]));

export function pageById(id: PageId): PageDeclaration {
  return byId.get(id)!;
}

/**
 * The address of a page.
 *
 * @example
 * pagePath("project-home", { pid: "prj_1" }) // "/p/prj_1"
 */
export function pagePath<Id extends PageId>(id: Id, parameters: PageParameters<Id>): string {
  return addressOf(pageById(id), parameters);
}

/** The same for a page known only at run time. */
export function addressOf(page: PageDeclaration, parameters: Record<string, string>): string {
  return page.path.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}

/** Fills `{name}` in a command or topic from the page's parameters. */
export function fillNames(text: string, parameters: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => parameters[name] ?? whole);
}

/** The page of an address, with its parameters; undefined when no page has it. */
export function matchPage(
  pathname: string,
): { page: PageDeclaration; parameters: Record<string, string> } | undefined {
  const given = pathname.replace(/\/+$/, "").split("/");
  for (const page of pages) {
    const wanted = page.path.split("/");
    if (wanted.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const value = given[index] ?? "";
      if (!part.startsWith("$")) return part === value;
      parameters[part.slice(1)] = safelyDecoded(value);
      return value !== "";
    });
    if (fits) return { page, parameters };
  }
  return undefined;
}

function safelyDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
