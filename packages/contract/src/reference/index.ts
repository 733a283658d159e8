export { exampleOrigin } from "./example.ts";
export { html } from "./html.ts";
export { apiReferencePage } from "./page.ts";
export { apiReferenceScript } from "./script.ts";
export { apiReferenceStyles } from "./styles.ts";
