import { rmSync } from "node:fs";
import { externalSignIn } from "../console/console-sign-in.ts";
import { credentialsFor } from "./access/credentials.ts";
import { buildConsoleOnce } from "./console/build-console.ts";
import { createConsole, type LocalConsole } from "./console/serve-console.ts";
import { type DataFolder, lockDataFolder, openDataFolder } from "./data-folder.ts";
import { assertPortFree } from "./gateway/assert-port-free.ts";
import { combineHandlers } from "./gateway/local-handler.ts";
import { loadIssuerKey, mintUserToken } from "./issuer.ts";
import { operator } from "./operator.ts";
import type { OperatorJson } from "./operator-environment.ts";
import { prepare } from "./prepare/prepare.ts";
import { writePrivateFile } from "./private-file.ts";
import {
  expectedRequests,
  firstOperations,
  type LocalJson,
  readSeeded,
  type Seeded,
  seed,
  seedNames,
} from "./seed.ts";
import { buildBaseUrl, type LocalSettings } from "./settings.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import { type LocalStack, type StackOptions, startStack } from "./stack.ts";

/** The running product. */
export type RunningProduct = {
  baseUrl: string;
  folder: DataFolder;
  stack: LocalStack;
  console: LocalConsole;
  /** Content of `local.json`; undefined with an external issuer, when nothing is seeded. */
  localJson: LocalJson | undefined;
  close: () => Promise<void>;
};

const tokenSeconds = 30 * 24 * 60 * 60;
const seedSeconds = 600;

/** Builds, synthesizes, starts and seeds the product. Throws a StopError with the reason and stops everything on failure. */
export const runProduct = async (
  settings: LocalSettings,
  print: (line: string) => void,
  options: Pick<StackOptions, "clock" | "table" | "via" | "observe" | "idleMs"> = {},
): Promise<RunningProduct> => {
  const folder = openDataFolder(settings.dataDirectory);
  const lock = lockDataFolder(folder);
  try {
    await assertPortFree(settings.host, settings.port);
    const previous = readSeeded(folder.demonstration);
    rmSync(folder.localJson, { force: true });
    const expected = settings.ownIssuer ? expectedRequests(previous !== undefined) : [];
    const prepared = prepare(settings.config, firstOperations);
    const console = createConsole({
      build: buildConsoleOnce,
      signIn: settings.ownIssuer ? undefined : externalSignIn(settings.config),
      print,
    });
    const signIn = createSignIn(await loadIssuerKey(folder.issuerKey));
    const local = combineHandlers(settings.ownIssuer ? [console.handle, signIn] : [console.handle]);
    const stack = await startStack({
      ...settings,
      ...options,
      folder,
      prepared,
      expected,
      local,
      print,
    });
    const { dynamodbEndpoint, table, services, secret, assembly } = stack;
    const credentials = credentialsFor(secret, operator);
    const operatorJson: OperatorJson = {
      dynamodbEndpoint,
      table,
      services,
      credentials,
      assembly,
      secret,
    };
    writePrivateFile(folder.storageJson, JSON.stringify(operatorJson));
    const close = async (): Promise<void> => {
      rmSync(folder.localJson, { force: true });
      rmSync(folder.storageJson, { force: true });
      await Promise.all([stack.close(), console.close()]);
      lock.release();
    };
    const baseUrl = buildBaseUrl(settings.host, stack.port);
    try {
      const localJson = settings.ownIssuer
        ? await seedAndWriteLocalJson(folder, baseUrl, previous)
        : undefined;
      return { baseUrl, folder, stack, console, localJson, close };
    } catch (error) {
      await stack.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
};

const seedAndWriteLocalJson = async (
  folder: DataFolder,
  baseUrl: string,
  previous: Seeded | undefined,
): Promise<LocalJson> => {
  const key = await loadIssuerKey(folder.issuerKey);
  const mintToken = (user: string, ttlSeconds: number) =>
    mintUserToken(key, { org: seedNames.organizationId, role: "admin", user, ttlSeconds });
  const userToken = await mintToken(seedNames.admin, tokenSeconds);
  const exampleToken = await mintToken(seedNames.exampleAuthor, seedSeconds);
  const seeded = await seed({ baseUrl, userToken, exampleToken, previous });
  writePrivateFile(folder.demonstration, JSON.stringify(seeded));
  const { tenantId, apiKey } = seeded;
  const { organizationId, tenantSlug, agentId } = seedNames;
  const localJson = {
    baseUrl,
    organizationId,
    tenantId,
    tenantSlug,
    userToken,
    apiKey,
    agentId,
    pid: process.pid,
  };
  writePrivateFile(folder.localJson, `${JSON.stringify(localJson, null, 2)}\n`);
  return localJson;
};
