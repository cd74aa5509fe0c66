import { parseArgs } from "node:util";
import * as z from "zod";
import { ScopeName, scopeEntries } from "../../lib/platform/auth/scopes.ts";
import { database } from "../../lib/platform/db/database.ts";
import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { importApiKey } from "../../lib/tenancy/api-key/import-api-key.ts";
import { listTenants } from "../../lib/tenancy/tenant/store.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { readConfig } from "../settings/config.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage =
  "usage: npm run import-key -- --org ORG --name NAME --scopes agents:execute,… --sha256 HEX [--prefix whf]";

const namesScopes = (names: readonly string[], ctx: z.RefinementCtx): void => {
  const unknown = names.filter((name) => !ScopeName.safeParse(name).success);
  if (unknown.length === 0) return;
  const known = scopeEntries.map(({ scope }) => scope).join(", ");
  const message = `--scopes: no such scope: ${unknown.map((name) => JSON.stringify(name)).join(", ")}. Scopes are ${known}`;
  ctx.addIssue({ code: "custom", message });
};

const Options = z.object({
  org: z
    .string("--org is required")
    .regex(/^[A-Za-z0-9][A-Za-z0-9._|:-]{0,127}$/, "--org must be an organization's id"),
  name: z.string("--name is required").min(1, "--name must not be empty").max(200),
  scopes: z
    .string("--scopes is required")
    .transform((list) => list.split(",").map((scope) => scope.trim()))
    .superRefine(namesScopes)
    .pipe(z.array(ScopeName)),
  sha256: z
    .string("--sha256 is required")
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, "--sha256 must be 64 hexadecimal digits"),
  prefix: z.string().optional(),
});

const readOptions = (): z.output<typeof Options> => {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      options: { org: text, name: text, scopes: text, sha256: text, prefix: text },
    });
    return Options.parse(values);
  } catch (error) {
    const lines =
      error instanceof z.ZodError
        ? error.issues.map((issue) => issue.message)
        : [error instanceof Error ? error.message : String(error)];
    throw new CommandError([...new Set(lines), usage].join("\n"));
  }
};

/** Connects to the table of the environment (`TABLE_NAME`, with AWS credentials), or of the running local stack. */
const findTable = (): void => {
  if (process.env[resourceVariables.table]) return;
  const { dynamodbEndpoint, table } = useLocalStack(
    `set ${resourceVariables.table} and AWS credentials to import into a deployment`,
  );
  Object.assign(process.env, {
    [resourceVariables.table]: table,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  });
};

await runCommand(async () => {
  const options = readOptions();
  const { EARLIER_KEY_PREFIXES: earlier } = readConfig(process.env);
  const prefix = options.prefix ?? earlier[0] ?? "";
  if (!earlier.includes(prefix)) {
    throw new CommandError(
      `--prefix must be one of the earlier prefixes: ${earlier.join(", ") || "there are none"}.`,
    );
  }
  findTable();
  const { org: organizationId, name, scopes, sha256 } = options;
  const db = database();
  if ((await listTenants(db, organizationId)).length === 0) {
    throw new CommandError(
      `The organization ${organizationId} has no tenant, so its key would have no access. Create one first (POST /v1/tenants, as a user of the organization), or correct --org: GET /v1/tenants shows each organizationId.`,
    );
  }
  const { outcome, id } = await importApiKey(db, systemRuntime, {
    organizationId,
    name,
    scopes,
    prefix,
    sha256,
  });
  if (outcome === "taken") throw new CommandError("A key with this SHA-256 exists already.");
  if (outcome === "full") {
    throw new CommandError(
      "The organization has the maximum number of active API keys (MAX_API_KEYS). Revoke one that is no longer used.",
    );
  }
  console.log(id);
});
