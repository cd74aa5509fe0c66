import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as z from "zod";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { readConfig } from "../settings/config.ts";
import { CommandError, runCommand } from "../shell/command.ts";
import { deleteTenant } from "../tenant/delete-tenant.ts";
import { endListeners, keepListeners } from "../tenant/end-listeners.ts";
import { exportTenant } from "../tenant/export-tenant.ts";
import { type FileStore, openFileStore } from "../tenant/file-store.ts";
import { importTenant } from "../tenant/import-tenant.ts";
import { type Installation, openDeployed, openLocal } from "../tenant/installation.ts";
import { type Manifest, readManifest } from "../tenant/manifest.ts";
import { markLostVectors } from "../tenant/mark-lost-vectors.ts";
import { createPace } from "../tenant/pace.ts";
import { createProgress } from "../tenant/progress.ts";
import { reindexMemories } from "../tenant/reindex-memories.ts";
import { formatComparison, formatDeletion, formatExport, formatImport } from "../tenant/report.ts";
import { findTenant, type TenantNames } from "../tenant/subject.ts";
import { verifyDeleted, verifyExport } from "../tenant/verify.ts";
import { type Compared, compareToDeleted } from "../tenant/verify-tenant.ts";

const usage = `usage: npm run tenant -- export --tenant ID --to DIRECTORY|s3://BUCKET/PREFIX [options]
       npm run tenant -- import --from DIRECTORY|s3://BUCKET/PREFIX [options]
       npm run tenant -- delete --tenant ID --confirm ID [options]
       npm run tenant -- reindex --tenant ID [--local]
       npm run tenant -- --verify --tenant ID [--from DIRECTORY|s3://BUCKET/PREFIX] [options]

Moves or deletes a tenant, by id or slug, of the deployed stacks of STACK_PREFIX, with the AWS credentials of the
environment. A command that was interrupted continues when it is run again. reindex finds documents and
memories without vectors, and memories of another embedding model than the tenant's.
--verify counts what is there, and compares it to an export, or to nothing.

  --passphrase-file FILE  encrypts or decrypts the secrets of an export; or WHARF_EXPORT_PASSPHRASE
  --without-secrets       exports no secrets: they must be entered again
  --keep-listeners        a deletion leaves the listeners of webhooks at their providers
  --segments N            parts in which the table is read concurrently, 1 to 64 (1)
  --units N               capacity units of the table used a second, at most (2000)
  --wait SECONDS          a deletion waits until functions have noticed it (300)
  --local                 works on the running local stack`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const flags = {
  tenant: text,
  to: text,
  from: text,
  confirm: text,
  verify: flag,
  "passphrase-file": text,
  "without-secrets": flag,
  "keep-listeners": flag,
  segments: text,
  units: text,
  wait: text,
  local: flag,
} as const;

const isSet = (name: string) => z.string(`--${name} is required`).min(1, `--${name} is empty`);
const wholeNumber = (name: string, [least, most]: [number, number], otherwise: number) =>
  z.coerce
    .number(`--${name} must be a number`)
    .int(`--${name} must be a whole number`)
    .min(least, `--${name} must be at least ${least}`)
    .max(most, `--${name} must be at most ${most}`)
    .default(otherwise);

const common = z.object({
  "passphrase-file": z.string().optional(),
  "without-secrets": z.boolean().default(false),
  "keep-listeners": z.boolean().default(false),
  segments: wholeNumber("segments", [1, 64], 1),
  units: wholeNumber("units", [1, 1_000_000], 2_000),
  wait: wholeNumber("wait", [0, 86_400], 300),
  local: z.boolean().default(false),
});

const Options = z.discriminatedUnion(
  "command",
  [
    common.extend({ command: z.literal("export"), tenant: isSet("tenant"), to: isSet("to") }),
    common.extend({ command: z.literal("import"), from: isSet("from") }),
    common.extend({
      command: z.literal("delete"),
      tenant: isSet("tenant"),
      confirm: isSet("confirm"),
    }),
    common.extend({ command: z.literal("reindex"), tenant: isSet("tenant") }),
    common.extend({
      command: z.literal("verify"),
      tenant: isSet("tenant"),
      from: z.string().optional(),
    }),
  ],
  "the command must be export, import, delete, reindex or --verify",
);
type Options = z.output<typeof Options>;

const readOptions = (): Options => {
  try {
    const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
    const command = values.verify ? "verify" : positionals[0];
    if (positionals.length > (values.verify ? 0 : 1)) {
      throw new Error("give one command");
    }
    const options = Options.parse({ ...values, command });
    if (options.command === "delete" && options.confirm !== options.tenant) {
      throw new Error("--confirm must be the value of --tenant");
    }
    return options;
  } catch (error) {
    const lines =
      error instanceof z.ZodError
        ? error.issues.map(({ message }) => message)
        : [error instanceof Error ? error.message : String(error)];
    throw new CommandError([...new Set(lines), usage].join("\n"));
  }
};

const shortestPassphrase = 12;

const readPassphrase = ({ "passphrase-file": file }: Options): string | undefined => {
  const passphrase =
    file === undefined
      ? process.env.WHARF_EXPORT_PASSPHRASE
      : readFileSync(file, "utf8").replace(/\r?\n$/, "");
  if (passphrase === undefined || passphrase.length >= shortestPassphrase) return passphrase;
  throw new CommandError(`The passphrase must have at least ${shortestPassphrase} characters.`);
};

const clock = Date.now;

const createDeps = (installation: Installation, { units }: Options) => ({
  pace: createPace(units, clock, sleep),
  progress: createProgress((line) => console.error(line), clock),
  clock,
  sleep,
  installation,
});

const runExport = async (
  installation: Installation,
  options: Extract<Options, { command: "export" }>,
): Promise<void> => {
  const passphrase = options["without-secrets"] ? undefined : readPassphrase(options);
  if (passphrase === undefined && !options["without-secrets"]) {
    throw new CommandError(
      "Secrets need a passphrase: set WHARF_EXPORT_PASSPHRASE, or give --passphrase-file. --without-secrets exports none.",
    );
  }
  const tenant = await requireTenant(installation, options.tenant);
  const store = openFileStore(options.to, installation.s3);
  const deps = { ...createDeps(installation, options), source: installation, store };
  const { segments } = options;
  const manifest = await exportTenant(
    { ...deps, newId: randomUUID },
    { tenant, passphrase, segments },
  );
  console.log(formatExport(manifest, store.address));
};

const requireTenant = async (installation: Installation, name: string): Promise<TenantNames> => {
  const tenant = await findTenant(installation, name);
  if (tenant) return tenant;
  throw new CommandError(`The tenant ${name} does not exist.`);
};

const runReindex = async (installation: Installation, name: string): Promise<void> => {
  const { id, slug } = await requireTenant(installation, name);
  const found = await markLostVectors(installation, id);
  for (const { assetId, documents, lost } of found) {
    console.log(
      `${lost} of ${documents} documents of ${assetId} have no vectors: POST /v1/tenants/${slug}/assets/${encodeURIComponent(assetId)}:sync`,
    );
  }
  if (found.length === 0) console.log("all documents have their vectors");
  const memories = await reindexMemories(installation, TenantId.parse(id), clock());
  for (const { agentId, namespaces } of memories) {
    console.log(`memories of ${namespaces} namespaces of ${agentId} are embedded again`);
  }
  if (memories.length === 0) console.log("all memories have their vectors");
};

const runImport = async (
  installation: Installation,
  store: FileStore,
  options: Options,
): Promise<void> => {
  const deps = { ...createDeps(installation, options), target: installation, store };
  const manifest = await importTenant(deps, { passphrase: readPassphrase(options) });
  console.log(formatImport(manifest));
  report(await verifyExport(deps, manifest));
};

const runDelete = async (
  installation: Installation,
  options: Extract<Options, { command: "delete" }>,
): Promise<void> => {
  const end = options["keep-listeners"] ? keepListeners : endListeners(installation);
  const { deletion, left } = await deleteTenant(
    { ...createDeps(installation, options), endListeners: end },
    { tenant: options.tenant, segments: options.segments, waitMs: options.wait * 1_000 },
  );
  console.log(formatDeletion(deletion));
  report(compareToDeleted(left));
};

const report = (compared: readonly Compared[]): void => {
  console.log(formatComparison(compared));
  if (compared.some(({ isRight }) => !isRight)) process.exitCode = 1;
};

await runCommand(async () => {
  const options = readOptions();
  const { STACK_PREFIX } = readConfig(process.env);
  const installation = options.local
    ? openLocal(useLocalStack("leave out --local for a deployment"), STACK_PREFIX)
    : await openDeployed(STACK_PREFIX);
  switch (options.command) {
    case "export":
      return runExport(installation, options);
    case "import":
      return runImport(installation, openFileStore(options.from, installation.s3), options);
    case "delete":
      return runDelete(installation, options);
    case "reindex":
      return runReindex(installation, options.tenant);
    case "verify": {
      const deps = createDeps(installation, options);
      if (options.from === undefined) return report(await verifyDeleted(deps, options.tenant));
      const manifest: Manifest = await readManifest(openFileStore(options.from, installation.s3));
      return report(await verifyExport(deps, manifest));
    }
  }
});
