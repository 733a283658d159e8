/** @module `docs/conformance-checks.md`: every protocol check, made from the registry. */
import { protocolCategories, protocolChecks } from "@fettle/checks";

export function checkReference(): string {
  const sections = protocolCategories.map((category) => {
    const rows = protocolChecks
      .filter((check) => check.category === category)
      .map(({ id, description, severity, eras, since, transports, reference }) => {
        const [era] = eras ?? [];
        const where = [
          era === "stateful" ? "stateful" : era === "stateless" ? "2026-07-28" : "all",
          ...(since !== undefined && era !== "stateless" ? [`from ${since}`] : []),
          ...(transports ? [transports.map((transport) => names[transport]).join(", ")] : []),
        ];
        return `| \`${id}\` | ${severity} | ${where.join(", ")} | ${description} | [${reference.title}](${reference.url}) |`;
      });
    return [
      `## ${category}`,
      "",
      "| check | | applies to | asks | specification |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ];
  });
  return [
    "# Protocol checks",
    "",
    `The ${protocolChecks.length} checks of \`fettle protocol conformance\`; how to read their results: [conformance.md](conformance.md).`,
    "Made from the registry by `npm run generate`.",
    "",
    ...sections.flat(),
  ].join("\n");
}

const names = { "streamable-http": "HTTP", stdio: "stdio", sse: "HTTP+SSE" };
