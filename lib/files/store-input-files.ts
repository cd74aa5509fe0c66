import type { FlowFile } from "../engine/flow-file.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { isUuid } from "../platform/http/ids.ts";
import { createTurns } from "../platform/runtime/create-turns.ts";
import type { InputProblem } from "../values/json/check-inputs.ts";
import { acceptsType, type FileReference, readFileReference } from "../values/json/file-value.ts";
import {
  buildPointer,
  isRecord,
  type Json,
  type JsonObject,
  setMember,
} from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import { buildFileItem } from "./create-file.ts";
import { deriveFileId } from "./derive-file-id.ts";
import { fetchFile } from "./fetch-file.ts";
import { executionAsCreator, type FileItem, toFlowFile } from "./file-item.ts";
import type { FileStorage } from "./file-storage.ts";
import { type FileReader, findReadableFile } from "./find-readable-file.ts";
import { storedFileLimits } from "./limits.ts";
import { removeFile } from "./remove-file.ts";
import { reserveBytes } from "./reserve-bytes.ts";
import { getFile, putFileUse, putUsedFile } from "./store.ts";

/** The inputs of a new execution, and who sends them. */
export type InputFiles = {
  tenantId: TenantId;
  execution: { agentId: string; executionId: string };
  /** The principal that starts it; null for none. */
  starter: string | null;
  /** The stored files that they may name; undefined for none. */
  reader: FileReader | undefined;
  parameters: readonly ParameterDescriptor[];
  /** Checked, with defaults. */
  values: JsonObject;
  now: number;
};

/** Returns inputs with names in place of files, for checks that must not read the files. */
export const hideFiles = <Values>(
  parameters: readonly ParameterDescriptor[],
  values: Values,
): Values => {
  const names = parameters.flatMap(({ type, name }) => (type === "File" ? [name] : []));
  if (names.length === 0 || !isRecord(values)) return values;
  const shown = names.flatMap((name) =>
    Object.hasOwn(values, name) ? [[name, hideFile(values[name])]] : [],
  );
  return { ...values, ...Object.fromEntries(shown) };
};

const hideFile = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(hideFile);
  const name = isRecord(value) ? value.name : undefined;
  return { fileId: "", ...(typeof name === "string" && { name }) };
};

/** Returns whether an execution with these inputs has files, of its inputs or by default. */
export const hasFiles = (parameters: readonly ParameterDescriptor[], input: unknown): boolean =>
  parameters.some(
    ({ type, name, defaultValue }) =>
      type === "File" && (defaultValue !== null || (isRecord(input) && Object.hasOwn(input, name))),
  );

/** Returns whether a file of these inputs is fetched from an address. */
export const fetchesFiles = (
  parameters: readonly ParameterDescriptor[],
  values: JsonObject,
): boolean =>
  parameters.some(({ type, name }) => {
    if (type !== "File") return false;
    return [values[name]].flat().some((file) => isRecord(file) && typeof file.url === "string");
  });

/** Files in the memory of a function at the same time, of all executions that it starts. */
const takeTurn = createTurns(storedFileLimits.atOnce);

type Deps = { db: Database; files: FileStorage };

/**
 * Stores the files of an execution's inputs and notes that it uses them. Returns the inputs of the type File as expressions see
 * them, or all errors. A repeated start stores the same files.
 */
export const storeInputFiles = async (
  deps: Deps,
  input: InputFiles,
): Promise<{ values: JsonObject } | { errors: readonly InputProblem[] }> => {
  if (!input.parameters.some(({ type }) => type === "File")) return { values: {} };
  const errors: InputProblem[] = [];
  const values: Record<string, Json> = {};
  const taken: TakenFile[] = [];
  const signal = AbortSignal.timeout(storedFileLimits.fetchAllMs);
  for (const descriptor of input.parameters) {
    const { type, name, multiple } = descriptor;
    const value = input.values[name];
    if (type !== "File" || value === undefined) continue;
    const given: readonly Json[] = Array.isArray(value) ? value : [value];
    const results = await Promise.all(
      given.map((file, at) => {
        const one = { descriptor, file, at, signal };
        return takeTurn(() => takeInputFile(deps, input, one));
      }),
    );
    const files: FlowFile[] = [];
    for (const [at, result] of results.entries()) {
      const pointer = buildPointer("input", name, ...(Array.isArray(value) ? [at] : []));
      if (typeof result === "string") errors.push({ pointer, detail: result });
      else {
        taken.push(result);
        files.push(toFlowFile(result.item));
      }
    }
    const [first] = files;
    if (multiple) setMember(values, name, files);
    else if (first) setMember(values, name, first);
  }
  const listItems = (origin: TakenFile["origin"]) =>
    taken.flatMap((file) => (file.origin === origin ? [file.item] : []));
  const { tenantId, execution, starter } = input;
  if (errors.length > 0) {
    const storage = { db: deps.db, objects: deps.files.objects };
    await Promise.all(listItems("new").map((item) => removeFile(storage, { tenantId, item })));
    return { errors };
  }
  const use = { ...execution, starter };
  await Promise.all(listItems("named").map((item) => putFileUse(deps.db, tenantId, item, use)));
  return { values };
};

/** A file of an input: named by its id, stored by this start, or stored by an earlier attempt at it. */
type TakenFile = { item: FileItem; origin: "named" | "new" | "earlier" };

type OneFile = {
  descriptor: ParameterDescriptor;
  file: unknown;
  at: number;
  signal: AbortSignal;
};

const takeInputFile = async (
  deps: Deps,
  input: InputFiles,
  { descriptor, file, at, signal }: OneFile,
): Promise<TakenFile | string> => {
  const { tenantId, execution, starter, now } = input;
  const reference = readFileReference(file);
  if (typeof reference === "string") return reference;
  if ("fileId" in reference) {
    const stored = await findStored(deps.db, input, reference.fileId);
    if (typeof stored === "string") return stored;
    const refused = findRefusal(descriptor, stored);
    return refused ?? { item: stored, origin: "named" };
  }
  const id = deriveFileId(execution.executionId, { input: descriptor.name, at });
  // A repeated start does not fetch it again.
  const earlier = await getFile(deps.db, tenantId, id, now);
  if (earlier) return { item: earlier, origin: "earlier" };
  const limits = { maxBytes: getMaxBytes(descriptor), signal };
  const given = await readContent(deps, reference, limits);
  if (typeof given === "string") return given;
  // The last part of an address may be what makes it secret.
  const name = descriptor.secret && "url" in reference ? "file" : given.name;
  const item = await buildFileItem({
    ...given,
    name,
    tenantId,
    id,
    creator: executionAsCreator(execution),
    retentionDays: storedFileLimits.defaultRetentionDays,
    now,
  });
  const refused = findRefusal(descriptor, item);
  if (refused !== undefined) return refused;
  const exceeded = await reserveBytes(deps.db, { tenantId, bytes: item.bytes, now });
  if (exceeded !== undefined) return exceeded;
  await deps.files.objects.put(item.object, given.content);
  const isNew = await putUsedFile(deps.db, tenantId, item, { ...execution, starter });
  if (isNew) return { item, origin: "new" };
  return { item: (await getFile(deps.db, tenantId, id, now)) ?? item, origin: "earlier" };
};

const getMaxBytes = ({ maxBytes }: ParameterDescriptor): number =>
  maxBytes ?? storedFileLimits.bytes;

const findStored = async (
  db: Database,
  { tenantId, reader, now }: InputFiles,
  fileId: string,
): Promise<FileItem | string> => {
  if (!reader) {
    return "names a stored file, which callers of the API may; send its address or its content";
  }
  const found = isUuid(fileId)
    ? await findReadableFile(db, { tenantId, reader, fileId: fileId.toLowerCase(), now })
    : undefined;
  return found ?? `names no file: there is no stored file ${JSON.stringify(fileId.slice(0, 128))}`;
};

/** Decodes or fetches a file that is not stored. */
const readContent = async (
  { files: { outgoing } }: Deps,
  reference: Exclude<FileReference, { fileId: string }>,
  limits: { maxBytes: number; signal: AbortSignal },
): Promise<{ name: string; content: Uint8Array } | string> => {
  if ("url" in reference) {
    const { url, name } = reference;
    const fetched = await fetchFile(outgoing, { url, ...limits });
    return typeof fetched === "string" || name === undefined ? fetched : { ...fetched, name };
  }
  const { name, base64 } = reference;
  const content = Buffer.from(base64, "base64");
  return content.byteLength > 0 ? { name, content } : "is an empty file";
};

/** Returns why an input does not accept a file; undefined when it does. */
const findRefusal = (
  descriptor: ParameterDescriptor,
  { mediaType, bytes }: Pick<FileItem, "mediaType" | "bytes">,
): string | undefined => {
  const most = getMaxBytes(descriptor);
  if (bytes > most) return `has ${bytes} bytes; at most ${most} are accepted`;
  if (acceptsType(descriptor.accept, mediaType)) return undefined;
  return `is of the type ${mediaType}; accepted are ${descriptor.accept?.join(", ")}`;
};
