/** @module Small faults that a person could make in a file: one call, argument, await, condition, lock, bound or branch is changed. */
import { parseSync } from "oxc-parser";

export interface Mutant {
  kind: string;
  line: number;
  start: number;
  end: number;
  /** What stands there now, and what is written instead. */
  before: string;
  after: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

type Operation = Node & { operator: string; left: Node; right: Node };

type Say = (kind: string, at: Node | { start: number; end: number }, after: string) => void;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const shifted: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const turned: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};
const swapped: Record<string, string> = { "&&": "||", "||": "&&" };

/** Where only limits stand: by how much one is off is a decision, which a test could do no more than repeat. */
const onlyLimits = /\/limits\/[\w-]+\.ts$|[/-]limits\.ts$/;

/** A call whose absence nobody has to notice: it only tells people who operate or build Fettle. */
const onlyTells = /^(?:app\.|deps\.|this\.)?(?:log|console)\b/;

/**
 * All faults of one file, in the order of its lines. Types, imports and texts have none.
 *
 * @example
 * mutantsOf("a.ts", "if (isAdmin) remove(id);").map(({ after }) => after);
 */
export function mutantsOf(path: string, source: string): Mutant[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  const text = (node: { start: number; end: number }) => source.slice(node.start, node.end);
  const say: Say = (kind, { start, end }, after) => {
    const before = source.slice(start, end);
    if (before !== after && !(kind === "number shifted" && onlyLimits.test(path))) {
      found.push({ kind, line: source.slice(0, start).split("\n").length, start, end, before, after });
    }
  };
  const visit = (node: Node) => {
    if (node.type.startsWith("TS") && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return;
    if (node.type === "ImportDeclaration") return;
    faults[node.type]?.(node, say, text);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  if (isNode(program)) visit(program);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

const faults: Record<string, (node: Node, say: Say, text: (node: Node) => string) => void> = {
  ExpressionStatement(node, say, text) {
    const expression = node.expression as Node;
    const call = expression.type === "AwaitExpression" ? (expression.argument as Node) : expression;
    if (call.type === "CallExpression" && !onlyTells.test(text(call))) say("call dropped", node, ";");
    if (expression.type === "AssignmentExpression") say("assignment dropped", node, ";");
  },
  CallExpression(node, say, text) {
    const args = node.arguments as Node[];
    const last = args.at(-1);
    const before = args.at(-2);
    if (last && before) say("argument dropped", { start: before.end, end: last.end }, "");
    const callee = node.callee as Node;
    // A link of a chain that only narrows or locks: `.for("update")`, `.limit(1)`, `.filter(…)`, `.trim()`.
    if (callee.type === "MemberExpression" && callee.computed === false) {
      const name = text(callee.property as Node);
      if (
        /^(?:for|limit|filter|trim|toLowerCase|slice|toSorted|sort|orderBy|reverse|unref|catch)$/.test(name)
      ) {
        say("link dropped", { start: (callee.object as Node).end, end: node.end }, "");
      }
      if (name === "some" || name === "every") {
        say("some and every swapped", callee.property as Node, name === "some" ? "every" : "some");
      }
      if (name === "min" || name === "max") {
        say("bound swapped", callee.property as Node, name === "min" ? "max" : "min");
      }
    }
  },
  ObjectExpression(node, say, text) {
    const properties = node.properties as Node[];
    properties.forEach((property, index) => {
      const next = properties[index + 1];
      // Where only a text is said, the fault is one of wording.
      const value = property.value as Node | undefined;
      if (value?.type === "Literal" && typeof value.value === "string") return;
      if (property.type === "Property" && text(property.key as Node) === "hint") return;
      say("property dropped", { start: property.start, end: next?.start ?? property.end }, "");
    });
  },
  AwaitExpression(node, say, text) {
    say("await dropped", node, text(node.argument as Node));
  },
  IfStatement(node, say, text) {
    const test = node.test as Node;
    // Inside of a comparison its own operator is turned.
    if (!/^(?:Binary|Logical|Unary)/.test(test.type)) say("condition turned", test, `!(${text(test)})`);
    say("condition always false", test, "false");
  },
  ConditionalExpression(node, say, text) {
    const [consequent, alternate] = [node.consequent as Node, node.alternate as Node];
    say(
      "branches swapped",
      { start: consequent.start, end: alternate.end },
      `${text(alternate)} : ${text(consequent)}`,
    );
  },
  LogicalExpression(node, say, text) {
    const { operator, left, right } = node as Operation;
    const other = swapped[operator];
    // In brackets: beside `??` the other operator would not be read.
    if (other) say("logic swapped", node, `((${text(left)}) ${other} (${text(right)}))`);
    else say("fallback dropped", node, text(left));
  },
  BinaryExpression(node, say, text) {
    const { operator, left, right } = node as Operation;
    const isText = [left, right].some(
      ({ type, value }) => type === "TemplateLiteral" || (type === "Literal" && typeof value === "string"),
    );
    const write = (kind: string, other: string) => say(kind, node, `${text(left)} ${other} ${text(right)}`);
    if (shifted[operator]) write("bound shifted", shifted[operator]);
    else if (turned[operator] && !(operator === "+" && isText)) write("operator turned", turned[operator]);
    for (const side of [left, right]) {
      if (side.type === "Literal" && typeof side.value === "number" && !turned[operator]?.startsWith("!")) {
        say("number shifted", side, String(side.value + 1));
      }
    }
  },
  UnaryExpression(node, say, text) {
    if (node.operator === "!") say("not dropped", node, text(node.argument as Node));
  },
  ReturnStatement(node, say) {
    const argument = node.argument as Node | null;
    if (argument?.type === "Literal" && typeof argument.value === "boolean") {
      say("answer turned", argument, String(!argument.value));
    }
  },
};
