/** @module The directory that comes with Fettle: its own sample servers, so that the first look at the registry finds something. */

const port = { description: "The port it was started on", isRequired: true, default: "3001" };
const started = (folder: string) =>
  `Start it in a checkout: node packages/samples/src/${folder}/main.ts --port 3001.`;
const onPort = [{ type: "streamable-http", url: "http://127.0.0.1:{port}/mcp", variables: { port } }];

/** @param servicePort the demo bookshop answers two ports after the service. */
export function sampleDirectory(servicePort: number): unknown {
  return {
    servers: [
      {
        name: "fettle.samples/bookshop",
        title: "Bookshop",
        description:
          "A small bookshop with a catalogue, stock and orders, a widget, a prompt and resources. It runs beside the service after npm start.",
        version: "1.0.0",
        remotes: [{ type: "streamable-http", url: `http://127.0.0.1:${servicePort + 2}/mcp` }],
      },
      {
        name: "fettle.samples/everything",
        title: "Everything",
        description: `Every part of the protocol in one server: the fixture of the official conformance suite. ${started("everything")}`,
        version: "1.0.0",
        remotes: onPort,
      },
      {
        name: "fettle.samples/cafe",
        title: "Café",
        description: `One widget in both dialects, with all that a widget may declare. ${started("cafe")}`,
        version: "1.0.0",
        remotes: onPort,
      },
    ],
  };
}
