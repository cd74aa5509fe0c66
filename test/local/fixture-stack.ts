import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentialsFor, tokenHeader } from "../../infra/local/access/credentials.ts";
import { openDataFolder } from "../../infra/local/data-folder.ts";
import { buildThreadScript } from "../../infra/local/functions/build-thread-script.ts";
import { operator } from "../../infra/local/operator.ts";
import type { Prepared } from "../../infra/local/prepare/prepare.ts";
import { type LocalStack, type StackOptions, startStack } from "../../infra/local/stack.ts";
import { fixtureCode, sharedCode } from "./fixture-code.ts";
import { fixtureTemplates } from "./fixture-template.ts";

const folders: string[] = [];

/** Removes all folders of `temporaryFolder`. */
export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

/** Creates a folder, which `removeFolders` removes. */
export const temporaryFolder = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-local-"));
  folders.push(directory);
  return directory;
};

/** Writes the cloud assembly and the bundles of the fixture. */
export const writeFixture = async (
  directory: string,
  templates: Record<string, object> = fixtureTemplates(join(directory, "functions")),
): Promise<Prepared> => {
  const assembly = join(directory, "assembly");
  mkdirSync(assembly, { recursive: true });
  const artifacts: Record<string, object> = {};
  for (const [name, template] of Object.entries(templates)) {
    const templateFile = `${name}.template.json`;
    writeFileSync(join(assembly, templateFile), JSON.stringify(template));
    artifacts[name] = { type: "aws:cloudformation:stack", properties: { templateFile } };
  }
  writeFileSync(join(assembly, "manifest.json"), JSON.stringify({ artifacts }));
  for (const [name, source] of Object.entries(fixtureCode)) {
    const folder = join(directory, "functions", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.mjs"), source);
    writeFileSync(join(folder, "call.mjs"), sharedCode);
  }
  const threadScript = join(directory, "function-thread.mjs");
  await buildThreadScript(threadScript);
  return {
    assembly,
    threadScript,
    compileCache: join(directory, "compile-cache"),
    built: async () => {},
    complete: Promise.resolve(),
  };
};

/** A running stack of the fixture. */
export type FixtureStack = {
  stack: LocalStack;
  baseUrl: string;
  directory: string;
  /** Lines that the stack printed. */
  printed: string[];
  /** POSTs JSON to a path of the fixture. */
  post: (path: string, body: unknown) => Promise<Response>;
  /** Returns a queue with its messages as JSON. */
  queue: (name: string) => Promise<string>;
};

/** Starts the fixture on a new or an existing data folder. */
export const startFixture = async (
  directory = temporaryFolder(),
  options: Pick<StackOptions, "gracePeriod" | "clock" | "gatherMs" | "observe"> = {},
): Promise<FixtureStack> => {
  const printed: string[] = [];
  const stack = await startStack({
    folder: openDataFolder(join(directory, "data")),
    host: "127.0.0.1",
    port: 0,
    ownIssuer: true,
    prepared: writeFixture(directory),
    print: (line) => printed.push(line),
    clock: "stopped",
    ...options,
  });
  const baseUrl = `http://127.0.0.1:${stack.port}`;
  return {
    stack,
    baseUrl,
    directory,
    printed,
    post: (path, body) =>
      fetch(`${baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) }),
    queue: async (name) => {
      const headers = { [tokenHeader]: credentialsFor(stack.secret, operator).sessionToken };
      return (await fetch(`${stack.services}/_fauxqs/queues/${name}`, { headers })).text();
    },
  };
};
