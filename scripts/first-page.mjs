// The first page of help, made by the code that prints it otherwise, for the widths in which the launcher prints it as it is.
import { tree } from "../packages/cli/src/commands/index.ts";
import { firstPageWidths } from "../packages/cli/src/first-page.ts";
import { render } from "../packages/cli/src/output/text.ts";
import { renderHelp } from "../packages/cli/src/program/help.ts";

export function firstPages() {
  const pages = firstPageWidths.map((width) => {
    const page = renderHelp(tree, width);
    const written = (colour) => `${render(page, { colour })}\n`;
    return [width, { plain: written(false), coloured: written(true) }];
  });
  return Object.fromEntries(pages);
}
