import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { buildVendorRegistries, vendorsFolder } from "../generate/vendor-registries.ts";

for (const [path, text] of buildVendorRegistries()) {
  const file = resolve(vendorsFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
