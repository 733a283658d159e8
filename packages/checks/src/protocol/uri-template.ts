/** @module URI templates (RFC 6570): whether one is well formed, what it asks for, and what it becomes. Pure. */

const expression =
  /\{([+#./;?&]?)([A-Za-z0-9_%.]+(?::[1-9]\d{0,3}|\*)?(?:,[A-Za-z0-9_%.]+(?::[1-9]\d{0,3}|\*)?)*)\}/g;

export function isTemplate(template: string): boolean {
  return !/[{}]/.test(template.replace(expression, ""));
}

export function variablesOf(template: string): string[] {
  return [...template.matchAll(expression)].flatMap(([, , list = ""]) =>
    list.split(",").map((name) => name.replace(/(:\d+|\*)$/, "")),
  );
}

/** The URI for these values, or undefined when the template is not well formed. Only plain text values. */
export function expandTemplate(template: string, values: Record<string, string>): string | undefined {
  if (!isTemplate(template)) return undefined;
  return template.replace(expression, (_, operator: string, list: string) => {
    const encode = operator === "+" || operator === "#" ? encodeURI : encodeURIComponent;
    const named = [";", "?", "&"].includes(operator);
    const parts = list.split(",").flatMap((item) => {
      const name = item.replace(/(:\d+|\*)$/, "");
      const value = values[name];
      if (value === undefined) return [];
      const length = /:(\d+)$/.exec(item)?.[1];
      const encoded = encode(length === undefined ? value : value.slice(0, Number(length)));
      return [named ? `${name}=${encoded}` : encoded];
    });
    if (parts.length === 0) return "";
    const separator =
      operator === "" || operator === "+" || operator === "#" ? "," : operator === "?" ? "&" : operator;
    const opening = operator === "+" ? "" : operator;
    return `${opening}${parts.join(separator)}`;
  });
}
