#!/usr/bin/env node
// Starts cli/main.ts. A Node that does not read TypeScript starts the one that `npm ci` installs.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packagedNode = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));

if (process.features.typescript) {
  await import("./main.ts");
} else if (existsSync(packagedNode)) {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const args = [main, ...process.argv.slice(2)];
  const { status, error } = spawnSync(packagedNode, args, { stdio: "inherit" });
  if (error) console.error(`wharf: ${packagedNode} does not start: ${error.message}`);
  process.exitCode = status ?? 1;
} else {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  console.error(
    `wharf: Node 24 is required; this is ${process.version}. Run npm ci in ${folder}: it installs Node 24, which wharf then uses.`,
  );
  process.exitCode = 1;
}
