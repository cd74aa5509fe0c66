import { resolve } from "node:path";
import type { BuildOptions } from "esbuild";

/** How everything is bundled: for Lambda's Node 24, as ESM. */
export const bundling = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
  outExtension: { ".js": ".mjs" },
  write: false,
} as const satisfies BuildOptions;

/** How sources, in difference to chunks made of them, are bundled. */
export const sources = {
  ...bundling,
  minify: true,
  mainFields: ["module", "main"],
  alias: {
    "@aws-sdk/credential-provider-node": resolve(import.meta.dirname, "lambda-credentials.ts"),
  },
} satisfies BuildOptions;
