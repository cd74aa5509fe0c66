import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { isLoopback } from "../../lib/platform/http/is-loopback.ts";
import {
  type AddressOptions,
  type Connection,
  localLogin,
  namedAddress,
  resolveConnection,
} from "../connection.ts";
import { failed, usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { printMessage } from "../output.ts";

/** A product on this machine; `stop` ends it if this command started it. */
export type LocalProduct = { connection: Connection; stop: () => Promise<void> };

/** Returns the running local product, or starts it in a checkout. */
export const localProduct = async (address: AddressOptions, io: Io): Promise<LocalProduct> => {
  const running = await findProduct(address, io);
  if (running && (await isReady(running.url))) {
    return { connection: running, stop: async () => undefined };
  }
  const root = join(import.meta.dirname, "../..");
  if (isNamed(address, io) || !existsSync(join(root, mainFile))) {
    throw failed("No local product runs. Start it in a checkout with npm start.");
  }
  const stop = await startProduct(root, io);
  const connection = await findProduct(address, io);
  if (connection) return { connection, stop };
  await stop();
  throw failed("The product started without a demonstration tenant; set --url and --tenant.");
};

const mainFile = "infra/local/main.ts";

const isNamed = (address: AddressOptions, io: Io): boolean => {
  const { url, profile } = namedAddress(address, io);
  return url !== undefined || profile !== undefined;
};

/** A saved login is not used: it is that of another deployment. */
const findProduct = async (address: AddressOptions, io: Io): Promise<Connection | undefined> => {
  const connection = isNamed(address, io)
    ? await resolveConnection(address, io)
    : await localLogin(io);
  if (connection && !isLoopback(new URL(connection.url))) {
    throw usage(
      `wharf dev deploys on every save, so it works on this machine only. For ${connection.url} use wharf agents apply.`,
    );
  }
  return connection;
};

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts the product and waits until it is ready; returns what stops it. */
const startProduct = async (root: string, io: Io): Promise<() => Promise<void>> => {
  printMessage(io, "Starting the local product …");
  const data = resolve(io.cwd, io.env.WHARF_DATA_DIR || ".wharf");
  // The product needs Node 24, which `npm ci` installs.
  const installed = join(root, "node_modules/node/bin/node");
  const node = existsSync(installed) ? installed : process.execPath;
  const child = spawn(node, ["--max-semi-space-size=4", mainFile], {
    cwd: root,
    env: { ...io.env, WHARF_DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"],
    // A Ctrl-C at the terminal would stop it before the work in progress.
    detached: true,
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const ready = new Promise<boolean>((done) => {
    createInterface({ input: child.stdout }).once("line", (line) => {
      printMessage(io, line);
      done(true);
    });
    child.once("close", () => done(false));
  });
  child.stdout.resume();
  if (!(await ready)) throw failed("The local product did not start.");
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
};
