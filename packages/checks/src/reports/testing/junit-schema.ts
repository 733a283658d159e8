/** @module The JUnit schema that CI systems share (that of Jenkins' xUnit plugin), as data, and just enough XML to hold a report to it. */

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

type AttributeType = "text" | "number" | "whole";

interface ElementRule {
  required: Record<string, AttributeType>;
  optional: Record<string, AttributeType>;
  children: readonly string[];
  /** Text between its tags means something; elsewhere only white space may stand. */
  hasText?: true;
}

const output = { required: {}, optional: {}, children: [], hasText: true } as const;
const finding = {
  required: {},
  optional: { type: "text", message: "text" },
  children: [],
  hasText: true,
} as const;

const rules: Record<string, ElementRule> = {
  testsuites: {
    required: {},
    optional: {
      name: "text",
      time: "number",
      tests: "whole",
      failures: "whole",
      disabled: "whole",
      errors: "whole",
    },
    children: ["testsuite"],
  },
  testsuite: {
    required: { name: "text", tests: "whole" },
    optional: {
      failures: "whole",
      errors: "whole",
      skipped: "whole",
      disabled: "whole",
      time: "number",
      timestamp: "text",
      hostname: "text",
      id: "text",
      package: "text",
    },
    children: ["properties", "testcase", "system-out", "system-err"],
  },
  properties: { required: {}, optional: {}, children: ["property"] },
  property: { required: { name: "text", value: "text" }, optional: {}, children: [] },
  testcase: {
    required: { name: "text", classname: "text" },
    optional: { time: "number", assertions: "whole", status: "text" },
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  skipped: { required: {}, optional: { type: "text", message: "text" }, children: [], hasText: true },
  failure: finding,
  error: finding,
  "system-out": output,
  "system-err": output,
};

export function junitFaults(xml: string): string[] {
  const root = readXml(xml);
  return root.name === "testsuites" || root.name === "testsuite"
    ? faultsIn(root)
    : [`a report does not begin with ${root.name}`];
}

function faultsIn({ name, attributes, children, text }: XmlElement): string[] {
  const rule = rules[name];
  if (!rule) return [`${name} is not an element of JUnit`];
  const known: Record<string, AttributeType> = { ...rule.required, ...rule.optional };
  return [
    ...Object.keys(rule.required).flatMap((key) => (key in attributes ? [] : [`${name} lacks ${key}`])),
    ...Object.entries(attributes).flatMap(([key, value]) => {
      const type = known[key];
      if (!type) return [`${name} may not have ${key}`];
      if (type === "whole" && !/^\d+$/.test(value)) return [`${key} of ${name} is not a whole number`];
      return type === "number" && !/^\d+(\.\d+)?$/.test(value) ? [`${key} of ${name} is not a number`] : [];
    }),
    ...(!rule.hasText && text.trim() !== "" ? [`${name} may not hold text`] : []),
    ...children.flatMap((child) =>
      rule.children.includes(child.name) ? faultsIn(child) : [`${name} may not hold ${child.name}`],
    ),
  ];
}

const token =
  /<\?xml[^>]*\?>|<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[\w-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;

/** Throws where the text is not well-formed XML 1.0. */
export function readXml(xml: string): XmlElement {
  const top: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  token.lastIndex = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const found = token.exec(xml);
    if (!found) throw new Error(`Not well formed: ${xml.slice(at, at + 80)}`);
    const [, closed, opened, attributes = "", isEmpty, text] = found;
    const parent = open.at(-1)!;
    if (text !== undefined) parent.text += plain(text);
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`Not well formed: </${closed}> closes something else`);
    }
    if (opened === undefined) continue;
    const element: XmlElement = {
      name: opened,
      attributes: attributesIn(attributes),
      children: [],
      text: "",
    };
    parent.children.push(element);
    if (isEmpty !== "/") open.push(element);
  }
  const [root] = top.children;
  if (!root || top.children.length > 1 || open.length > 1 || top.text.trim() !== "") {
    throw new Error("Not well formed: there must be one whole root element");
  }
  return root;
}

function attributesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [
      name,
      plain(double ?? single ?? ""),
    ]),
  );
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text))
    throw new Error("A forbidden character");
  return text.replace(/&(#\d+|\w+)?;?/g, (whole, name: string | undefined) => {
    const character = name?.startsWith("#")
      ? String.fromCodePoint(Number(name.slice(1)))
      : entities[name ?? ""];
    if (character === undefined || !whole.endsWith(";")) throw new Error(`Not an entity: ${whole}`);
    return character;
  });
}
