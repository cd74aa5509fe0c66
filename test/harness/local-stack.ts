import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { credentialsFor, tokenHeader } from "../../infra/local/access/credentials.ts";
import { loadIssuerKey, mintUserToken } from "../../infra/local/issuer.ts";
import { operator } from "../../infra/local/operator.ts";
import { runProduct } from "../../infra/local/run.ts";
import { readLocalSettings } from "../../infra/local/settings.ts";
import type { StorageCalls } from "../../infra/local/storage/call-counts.ts";
import { storageCallsPath } from "../../infra/local/storage/endpoint.ts";

/** Plain data by which a test in another process gets at a running stack (vitest's `provide`). */
export type LocalStackAddress = {
  baseUrl: string;
  dataDir: string;
  /** Where DynamoDB itself answers, checked and counted by nobody. */
  dynamodbEndpoint: string;
  /** Base URL of the local AWS services. */
  services: string;
  /** Of this start: `credentialsFor(secret, caller)` are credentials for the local AWS services. */
  secret: string;
  /** Directory of the templates that it runs. */
  assembly: string;
};

/** Whose user token to make; `ttl` in seconds, may be negative. */
export type TokenOptions = { org: string; role: string; user?: string; ttl?: number };

/** A running stack, seen from a test. */
export type LocalStackClient = LocalStackAddress & {
  token: (options: TokenOptions) => Promise<string>;
  /** Headers of the operator's requests to the local services, such as to `schedulesPath`. */
  operatorHeaders: Record<string, string>;
  /** Storage calls by function, then by IAM action. */
  storageCalls: { reset: () => Promise<void>; read: () => Promise<StorageCalls> };
};

/** The product, started by a test. */
export type TestStack = LocalStackClient & {
  /** What a test may `provide` to others: give it to `connectLocalStack`. */
  address: LocalStackAddress;
  close: () => Promise<void>;
};

type StartOptions = {
  /** Kept after `close`; without it, a temporary folder that goes with the stack. */
  dataDir?: string;
  port?: number;
  /** Settings as in the environment, such as `RATE_LIMIT_REQUESTS`; nothing else is read from it. */
  settings?: Readonly<Record<string, string>>;
  /** `stopped`: no job is started by the clock, so that only what is asked for works. */
  clock?: "stopped";
};

/** Starts the whole product in this process, as `npm start` does, on any free port. */
export const startLocalStack = async ({
  dataDir,
  port = 0,
  settings = {},
  clock,
}: StartOptions = {}): Promise<TestStack> => {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), "wharf-"));
  const product = await runProduct(
    readLocalSettings({ ...settings, PORT: String(port), WHARF_DATA_DIR: directory }),
    (line) => console.error(line),
    { clock },
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

/** Connects to a stack that runs already, in whatever process. */
export const connectLocalStack = (address: LocalStackAddress): LocalStackClient => {
  const callsUrl = `${address.services}${storageCallsPath}`;
  const operatorHeaders = {
    [tokenHeader]: credentialsFor(address.secret, operator).sessionToken,
  };
  return {
    ...address,
    operatorHeaders,
    token: async ({ org, role, user = "someone@example.com", ttl = 3_600 }) => {
      const key = await loadIssuerKey(join(address.dataDir, "issuer-key.json"));
      return mintUserToken(key, { org, role, user, ttlSeconds: ttl });
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
