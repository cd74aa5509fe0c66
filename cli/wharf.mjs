#!/usr/bin/env node
// Starts the package's bundle, or in a checkout cli/main.ts: by this Node when it reads TypeScript, otherwise by the one
// that `npm ci` installs.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packagedNode = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));

const source = new URL("main.ts", import.meta.url);
const bundle = new URL("dist/wharf.js", import.meta.url);

if (!existsSync(source) && existsSync(bundle)) {
  await import(bundle.href);
} else if (process.features.typescript) {
  await import("./main.ts");
} else if (existsSync(packagedNode)) {
  const args = [fileURLToPath(source), ...process.argv.slice(2)];
  // The channel closes when this process is killed, and the other one ends with it.
  const child = spawn(packagedNode, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  // By the channel: a signal would kill the other one while it is ending for the same signal of the terminal.
  const forwards = ["SIGHUP", "SIGINT", "SIGTERM"].map((signal) => ({
    signal,
    forward: () => void (child.connected && child.send(signal, () => {})),
  }));
  for (const { signal, forward } of forwards) process.on(signal, forward);
  child.on("error", (error) => {
    console.error(`wharf: ${packagedNode} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    for (const handler of forwards) process.off(handler.signal, handler.forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
} else {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  console.error(
    `wharf: Node 24 is required; this is ${process.version}. Run npm ci in ${folder}: it installs Node 24, which wharf then uses.`,
  );
  process.exitCode = 1;
}
