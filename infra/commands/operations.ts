import { writeFileSync } from "node:fs";
import { product } from "../functions/product.ts";
import { renderOperations } from "../operations/render-operations.ts";
import { readConfig } from "../settings/config.ts";

// `npm run operations`: writes docs/operations.md from the rows, with the default settings.
const page = renderOperations({ config: readConfig({}), product, table: "TABLE" });
writeFileSync(new URL("../../docs/operations.md", import.meta.url), page);
