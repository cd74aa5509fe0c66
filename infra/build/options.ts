import { resolve } from "node:path";
import type { BuildOptions } from "esbuild";

/** esbuild options of all bundles: ESM for Node 24. */
export const bundling = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // Code of ASCII characters alone takes half of the memory.
  charset: "ascii",
  legalComments: "none",
  logLevel: "silent",
  outExtension: { ".js": ".mjs" },
  write: false,
} as const satisfies BuildOptions;

/** esbuild options for sources, which are minified once. */
export const sources = {
  ...bundling,
  minify: true,
  mainFields: ["module", "main"],
  alias: {
    "@aws-sdk/credential-provider-node": resolve(import.meta.dirname, "lambda-credentials.ts"),
  },
} satisfies BuildOptions;
