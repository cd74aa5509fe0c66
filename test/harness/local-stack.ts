import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { StorageCalls } from "../../infra/local/access/call-counts.ts";
import { credentialsFor, tokenHeader } from "../../infra/local/access/credentials.ts";
import { loadIssuerKey, mintUserToken } from "../../infra/local/issuer.ts";
import { operator } from "../../infra/local/operator.ts";
import { prepareBundles } from "../../infra/local/prepare/prepare.ts";
import { runProduct } from "../../infra/local/run.ts";
import { readLocalSettings } from "../../infra/local/settings.ts";
import type { StackOptions } from "../../infra/local/stack.ts";
import { storageCallsPath } from "../../infra/local/storage/endpoint.ts";
import { isVerbose } from "./verbose.ts";

/** Plain data to connect to a running stack in another process (vitest's `provide`). */
export type LocalStackAddress = {
  baseUrl: string;
  dataDir: string;
  /** Endpoint of DynamoDB itself, without access checks and counting. */
  dynamodbEndpoint: string;
  /** Base URL of the local AWS services. */
  services: string;
  /** Secret of this start: `credentialsFor(secret, caller)` returns credentials for the local AWS services. */
  secret: string;
  /** Directory of its templates. */
  assembly: string;
};

/** Claims of a user token; `email` by default the user, `ttl` in seconds, may be negative. */
export type TokenOptions = {
  org: string;
  role: string;
  user?: string;
  email?: { address: string; isVerified: boolean };
  ttl?: number;
};

/** A running stack, as tests use it. */
export type LocalStackClient = LocalStackAddress & {
  token: (options: TokenOptions) => Promise<string>;
  /** Headers of the operator's requests to the local services, such as to `schedulesPath`. */
  operatorHeaders: Record<string, string>;
  /** Storage calls by function, then by IAM action. */
  storageCalls: { reset: () => Promise<void>; read: () => Promise<StorageCalls> };
};

/** A stack started by a test. */
export type TestStack = LocalStackClient & {
  /** Address to `provide` to other tests, for `connectLocalStack`. */
  address: LocalStackAddress;
  close: () => Promise<void>;
};

type StartOptions = {
  /** Data folder, kept after `close`; by default a temporary one that is deleted. */
  dataDir?: string;
  port?: number;
  /** Settings, such as `RATE_LIMIT_REQUESTS`; the environment is not read. */
  settings?: Readonly<Record<string, string>>;
  /** `stopped`: the clock starts no jobs. */
  clock?: "stopped";
} & Pick<StackOptions, "table" | "via" | "observe">;

/** Longer than any run of tests: functions that the tests of a file have used are there for those of the others. */
const idleMs = 3_600_000;

/** Prints failures of functions, some of which tests provoke, only when asked. */
const print = (line: string): void => {
  if (isVerbose) console.error(line);
};

/** Starts the product in this process, as `npm start` does, on a free port, once all functions are built. */
export const startLocalStack = async ({
  dataDir,
  port = 0,
  settings = {},
  clock,
  ...observed
}: StartOptions = {}): Promise<TestStack> => {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), "wharf-"));
  // Tests also read the bundles, and no request may wait for a build.
  await prepareBundles().complete;
  const product = await runProduct(
    readLocalSettings({ ...settings, PORT: String(port), WHARF_DATA_DIR: directory }),
    print,
    { clock, idleMs, ...observed },
  );
  const { dynamodbEndpoint, services, secret, assembly } = product.stack;
  const address = {
    baseUrl: product.baseUrl,
    dataDir: directory,
    dynamodbEndpoint,
    services,
    secret,
    assembly,
  };
  return {
    ...connectLocalStack(address),
    address,
    close: async () => {
      await product.close();
      if (dataDir === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
};

const Calls = z.record(z.string(), z.record(z.string(), z.number()));

/** Connects to a running stack, also in another process. */
export const connectLocalStack = (address: LocalStackAddress): LocalStackClient => {
  const callsUrl = `${address.services}${storageCallsPath}`;
  const operatorHeaders = {
    [tokenHeader]: credentialsFor(address.secret, operator).sessionToken,
  };
  return {
    ...address,
    operatorHeaders,
    token: async ({ org, role, user = "someone@example.com", email, ttl = 3_600 }) => {
      const key = await loadIssuerKey(join(address.dataDir, "issuer-key.json"));
      return mintUserToken(key, { org, role, user, email, ttlSeconds: ttl });
    },
    storageCalls: {
      reset: async () => {
        await fetch(callsUrl, { method: "DELETE", headers: operatorHeaders });
      },
      read: async () =>
        Calls.parse(await (await fetch(callsUrl, { headers: operatorHeaders })).json()),
    },
  };
};
