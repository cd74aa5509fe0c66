import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { agentSchemaFile, renderAgentSchema } from "../generate/agent-schema.ts";
import { renderClientTypes } from "../openapi/client-types.ts";
import { toOpenApi } from "../openapi/to-openapi.ts";

/** Path of the committed document, which is bundled with the function that serves it. */
const documentFile = new URL("../../docs/openapi.json", import.meta.url);

/** Path of the client's types, made from the document. */
const clientTypesFile = new URL("../../client/openapi.ts", import.meta.url);

/** Renders the document of the current rows, with the version of package.json. */
export const renderOpenApi = async (): Promise<string> => {
  const manifest = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return `${JSON.stringify(toOpenApi(routes, version), null, 2)}\n`;
};

if (import.meta.main) {
  const document = await renderOpenApi();
  await mkdir(new URL(".", documentFile), { recursive: true });
  await writeFile(documentFile, document);
  await writeFile(clientTypesFile, renderClientTypes(document));
  await writeFile(agentSchemaFile, renderAgentSchema());
}
