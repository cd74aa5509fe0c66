import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { buildVendorLists, vendorsFolder } from "../vendor-lists.ts";

for (const [path, text] of buildVendorLists()) {
  const file = resolve(vendorsFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
