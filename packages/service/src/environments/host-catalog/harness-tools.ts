/** @module The tools that agent runtimes bring along: facts of this release, with the arguments that a model may give. */
import type { HarnessTool, harnesses } from "@fettle/contract/environments";

const text = (description: string) => ({ type: "string", description });
const count = (description: string) => ({ type: "integer", description });
const flag = (description: string) => ({ type: "boolean", description });

function tool(
  name: string,
  commonName: string,
  toolUseKind: string,
  description: string,
  properties: Record<string, object>,
  required: string[],
): HarnessTool {
  const key = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  return {
    key,
    name,
    commonName,
    toolUseKind,
    description,
    inputSchema: { type: "object", properties, required },
  };
}

const filePath = text("Absolute path of the file");
const glob = text("Only files whose path matches");

export const harnessTools: Record<(typeof harnesses)[number], readonly HarnessTool[]> = {
  "claude-code": [
    tool(
      "Bash",
      "run command",
      "execute",
      "Runs a shell command",
      {
        command: text("The command"),
        description: text("What it does, in a few words"),
        timeout: count("Milliseconds"),
        run_in_background: flag("Return at once, and read the output later"),
      },
      ["command"],
    ),
    tool(
      "BashOutput",
      "read command output",
      "read",
      "Reads what a background command has printed",
      {
        bash_id: text("The command"),
        filter: text("Only lines that match"),
      },
      ["bash_id"],
    ),
    tool(
      "KillShell",
      "stop command",
      "execute",
      "Ends a background command",
      { shell_id: text("The command") },
      ["shell_id"],
    ),
    tool(
      "Read",
      "read file",
      "read",
      "Reads a file",
      {
        file_path: filePath,
        offset: count("First line"),
        limit: count("Lines"),
      },
      ["file_path"],
    ),
    tool(
      "Write",
      "write file",
      "write",
      "Writes a whole file",
      { file_path: filePath, content: text("The content") },
      ["file_path", "content"],
    ),
    tool(
      "Edit",
      "edit file",
      "write",
      "Replaces text in a file",
      {
        file_path: filePath,
        old_string: text("The text to replace"),
        new_string: text("What replaces it"),
        replace_all: flag("Everywhere, not once"),
      },
      ["file_path", "old_string", "new_string"],
    ),
    tool(
      "NotebookEdit",
      "edit notebook",
      "write",
      "Replaces, inserts or deletes a notebook cell",
      {
        notebook_path: text("Absolute path of the notebook"),
        cell_id: text("The cell"),
        new_source: text("Its new source"),
        cell_type: { type: "string", enum: ["code", "markdown"] },
        edit_mode: { type: "string", enum: ["replace", "insert", "delete"] },
      },
      ["notebook_path", "new_source"],
    ),
    tool(
      "Glob",
      "find files",
      "read",
      "Finds files by pattern",
      { pattern: text("Such as **/*.ts"), path: text("Where to look") },
      ["pattern"],
    ),
    tool(
      "Grep",
      "search files",
      "read",
      "Searches the content of files",
      {
        pattern: text("A regular expression"),
        path: text("Where to look"),
        glob,
        output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
      },
      ["pattern"],
    ),
    tool(
      "WebFetch",
      "fetch page",
      "network",
      "Reads a web page and answers a question about it",
      { url: { type: "string", format: "uri" }, prompt: text("What to find out") },
      ["url", "prompt"],
    ),
    tool(
      "WebSearch",
      "search web",
      "network",
      "Searches the web",
      {
        query: text("The words"),
        allowed_domains: { type: "array", items: { type: "string" } },
        blocked_domains: { type: "array", items: { type: "string" } },
      },
      ["query"],
    ),
    tool(
      "Task",
      "start agent",
      "execute",
      "Gives a task to another agent",
      {
        description: text("The task in a few words"),
        prompt: text("The task"),
        subagent_type: text("Which agent"),
      },
      ["description", "prompt", "subagent_type"],
    ),
    tool(
      "TodoWrite",
      "plan",
      "plan",
      "Keeps the list of what is to do",
      {
        todos: {
          type: "array",
          items: {
            type: "object",
            properties: {
              content: text("What is to do"),
              status: { type: "string", enum: ["pending", "in_progress", "completed"] },
              activeForm: text("The same as something that is being done"),
            },
            required: ["content", "status", "activeForm"],
          },
        },
      },
      ["todos"],
    ),
    tool("ExitPlanMode", "present plan", "ask", "Shows a plan for approval", { plan: text("The plan") }, [
      "plan",
    ]),
    tool(
      "AskUserQuestion",
      "ask user",
      "ask",
      "Asks the user to choose",
      { questions: { type: "array", items: { type: "object" } } },
      ["questions"],
    ),
    tool("Skill", "use skill", "read", "Loads a skill", { skill: text("Its name") }, ["skill"]),
  ],
};
