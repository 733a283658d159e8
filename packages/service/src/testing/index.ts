export { type TestProvider, testProvider } from "../people/accounts/oidc/testing-provider.ts";
export { type TestApp, testApp } from "./app.ts";
export { signedInBrowser, type TestBrowser, testBrowser } from "./browser.ts";
export { type CodeHostStub, startCodeHost } from "./code-host.ts";
export { emptyDatabase, type TestDatabase, testDatabase } from "./database.ts";
export { type MailServer, mailEnv, startMailServer } from "./mail-server.ts";
export { silentLog } from "./silent-log.ts";
export { answerJson, connectHost } from "./tunnel-host.ts";
