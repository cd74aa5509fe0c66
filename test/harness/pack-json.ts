import { deflateRawSync } from "node:zlib";
import { jsonDictionary as dictionary } from "../../lib/platform/db/json-dictionary.ts";

/** Returns a value as an item has it. */
export const packJson = (value: unknown): { deflate: Uint8Array } => ({
  deflate: new Uint8Array(deflateRawSync(JSON.stringify(value), { dictionary })),
});
