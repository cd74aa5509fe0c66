import { cp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const resolveCliPath = (path: string): string =>
  fileURLToPath(new URL(`../../cli/${path}`, import.meta.url));

/** Lets bundled CommonJS packages load Node's modules. */
const commonJsRequire =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/**
 * Bundles the command-line tool for its package: one entry, and chunks that commands load when they
 * run.
 */
await rm(resolveCliPath("dist"), { recursive: true, force: true });
await build({
  entryPoints: { wharf: resolveCliPath("main.ts") },
  outdir: resolveCliPath("dist"),
  bundle: true,
  splitting: true,
  minify: true,
  // Error classes are distinguished by name.
  keepNames: true,
  format: "esm",
  platform: "node",
  target: "node20",
  banner: { js: commonJsRequire },
  legalComments: "linked",
  logLevel: "warning",
});
await cp(
  fileURLToPath(new URL("../../examples/templates", import.meta.url)),
  resolveCliPath("dist/templates"),
  {
    recursive: true,
  },
);
