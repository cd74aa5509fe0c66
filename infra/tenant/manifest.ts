import * as z from "zod";
import { CommandError } from "../shell/command.ts";
import type { FileStore } from "./file-store.ts";

/** Version of the format of exports. */
const formatVersion = 1;

const kinds = ["items", "objects", "vectors"] as const;

/** Phases in which an import writes the items of files: most of them, then what jobs start from. */
export const phases = ["data", "work"] as const;
const Phase = z.enum(phases);
export type Phase = z.output<typeof Phase>;

/** A file of an export. */
const ExportFile = z.object({
  name: z.string(),
  kind: z.enum(kinds),
  /** Number of lines. */
  count: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** The index of vectors. */
  index: z.string().optional(),
  /** The phases of an import that its items are for. */
  phases: z.array(Phase).optional(),
});
export type ExportFile = z.output<typeof ExportFile>;

/** Protection of the secrets of an export: a passphrase, or they are left out. */
export const SecretsForm = z.discriminatedUnion("form", [
  z.object({
    form: z.literal("passphrase"),
    salt: z.base64(),
    cost: z.int(),
    /** A known text encrypted with the passphrase, by which a wrong one is found. */
    check: z.string(),
  }),
  z.object({ form: z.literal("omitted") }),
]);
export type SecretsForm = z.output<typeof SecretsForm>;

const Start = z.object({
  format: z.literal("wharf-tenant"),
  version: z.literal(formatVersion),
  exportId: z.string(),
  startedAt: z.string(),
  tenant: z.object({ id: z.string(), slug: z.string(), organizationId: z.string() }),
  /** Whether the organization has no other tenant. */
  isOnlyTenant: z.boolean(),
  secrets: SecretsForm,
  /** Number of items, by family. */
  counts: z.record(z.string(), z.int()),
  objects: z.object({ count: z.int(), bytes: z.int() }),
  vectors: z.int(),
  /** Names of the indexes of vectors. */
  indexes: z.array(z.string()),
  files: z.array(ExportFile),
  /** The items that make the tenant exist, which an import writes last, in one transaction. */
  gate: z.array(z.string()),
  /** Executions that had not ended, which an import cancels. */
  openExecutions: z.int(),
  /** Items without their secrets, if these are omitted: family and key. */
  omitted: z.array(z.string()),
});

/** A finished export. */
export const Manifest = Start.extend({ completedAt: z.string() });
export type Manifest = z.output<typeof Manifest>;

const Position = z.object({ pk: z.string(), sk: z.string() });

/** An export in progress: what is written, and where it continues. */
export const Cursor = Start.extend({
  segments: z.array(z.object({ after: Position.optional(), parts: z.int(), isDone: z.boolean() })),
  /** The prefix of objects in progress, and the last key of it that is written. */
  objectsAt: z.object({ prefix: z.int(), after: z.string().optional(), parts: z.int() }),
  /** The number of indexes that are written. */
  indexesDone: z.int(),
});
export type Cursor = z.output<typeof Cursor>;

export const manifestName = "manifest.json";
export const cursorName = "cursor.json";

/** A line of a file of objects. */
export const ObjectLine = z.object({
  key: z.string(),
  /** The file with its content. */
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  contentType: z.string().optional(),
  contentEncoding: z.string().optional(),
});
export type ObjectLine = z.output<typeof ObjectLine>;

/** Creates the cursor of a new export. */
export const startCursor = (
  start: Pick<Cursor, "exportId" | "startedAt" | "tenant" | "isOnlyTenant" | "secrets">,
  segments: number,
): Cursor => ({
  format: "wharf-tenant",
  version: formatVersion,
  ...start,
  counts: {},
  objects: { count: 0, bytes: 0 },
  vectors: 0,
  indexes: [],
  files: [],
  gate: [],
  openExecutions: 0,
  omitted: [],
  segments: Array.from({ length: segments }, () => ({ parts: 0, isDone: false })),
  objectsAt: { prefix: 0, parts: 0 },
  indexesDone: 0,
});

/** Reads a JSON file of an export; undefined when it does not exist. Throws a CommandError for another content. */
export const readJsonFile = async <Schema extends z.ZodType>(
  store: FileStore,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> => {
  const content = await store.get(name);
  if (content === undefined) return undefined;
  const parsed = schema.safeParse(JSON.parse(Buffer.from(content).toString("utf8")));
  if (parsed.success) return parsed.data;
  throw new CommandError(
    `${name} in ${store.address} was not written by this version: ${z.prettifyError(parsed.error)}`,
  );
};

/** Writes a JSON file of an export. */
export const writeJsonFile = (store: FileStore, name: string, value: unknown): Promise<void> =>
  store.put(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));

/** Reads the manifest of a finished export. Throws a CommandError when there is none. */
export const readManifest = async (store: FileStore): Promise<Manifest> => {
  const manifest = await readJsonFile(store, manifestName, Manifest);
  if (manifest) return manifest;
  throw new CommandError(
    `${store.address} has no ${manifestName}: it is no export, or one that is not finished. Run the export again to continue it.`,
  );
};
