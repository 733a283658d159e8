// Plain JavaScript, because the launcher of a checkout runs it on Nodes that read no TypeScript.

/** What starts a command for as long as it runs itself; another script of npm may well leave one running. */
const npmLaunchers = ["start", "npx"];

/**
 * A parent that is killed outright can tell nobody, and the service would keep its port, the tunnel its connection. Whoever
 * adopts the orphan is another parent; looking costs nothing at the start, keeps nothing alive and reads no stdin.
 * npm passes a signal on to its shell alone. Under `npm start` the script is an `exec`, so no shell stands in between.
 */
export function endWithParent(launcher = 0) {
  const parent = launcher || (npmLaunchers.includes(process.env.npm_lifecycle_event) ? process.ppid : 0);
  if (!parent) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    // As if it had been told: in order where a command stops in order.
    process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
