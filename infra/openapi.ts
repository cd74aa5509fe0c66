import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { routes } from "../functions/routes.ts";
import { toOpenApi } from "./openapi/to-openapi.ts";

/** Path of the committed document, which is bundled with the function that serves it. */
const documentFile = new URL("../docs/openapi.json", import.meta.url);

/** Renders the document of the current rows, with the version of package.json. */
export const renderOpenApi = async (): Promise<string> => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return `${JSON.stringify(toOpenApi(routes, version), null, 2)}\n`;
};

if (import.meta.main) {
  await mkdir(new URL(".", documentFile), { recursive: true });
  await writeFile(documentFile, await renderOpenApi());
}
