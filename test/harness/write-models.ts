import { readFile, writeFile } from "node:fs/promises";
import { startModelServer } from "./model-server.ts";
import { modelsPage, renderModels } from "./render-models.ts";

// `npm run models`: writes the tables of docs/models.md.
const server = await startModelServer();
await writeFile(modelsPage, await renderModels(await readFile(modelsPage, "utf8"), server));
await server.close();
