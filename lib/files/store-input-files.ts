import type { FlowFile } from "../engine/flow/files.ts";
import { runPool } from "../engine/flow/pool.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { isUuid } from "../platform/http/ids.ts";
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
import { putFileUse, putUsedFile } from "./store.ts";

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

const hidden = { fileId: "" };

/** Returns inputs with a placeholder for each of the type File, for checks that must not read files. */
export const hideFiles = <Values>(
  parameters: readonly ParameterDescriptor[],
  values: Values,
): Values => {
  const names = parameters.flatMap(({ type, name }) => (type === "File" ? [name] : []));
  if (names.length === 0 || !isRecord(values)) return values;
  const shown = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, hidden]] : []));
  return { ...values, ...Object.fromEntries(shown) };
};

type Deps = { db: Database; files: FileStorage };

/**
 * Stores the files of an execution's inputs and notes that it uses them. Returns the inputs of the type File as expressions see
 * them, or all errors. A repeated start stores the same files.
 */
export const storeInputFiles = async (
  deps: Deps,
  input: InputFiles,
): Promise<{ values: JsonObject } | { errors: readonly InputProblem[] }> => {
  const errors: InputProblem[] = [];
  const values: Record<string, Json> = {};
  const signal = AbortSignal.timeout(storedFileLimits.fetchAllMs);
  for (const descriptor of input.parameters) {
    const { type, name, multiple } = descriptor;
    const value = input.values[name];
    if (type !== "File" || value === undefined) continue;
    const given: readonly Json[] = Array.isArray(value) ? value : [value];
    const results: (FileItem | string)[] = [];
    const options = { width: storedFileLimits.fetchedAtOnce, signal: new AbortController().signal };
    await runPool(given.length, options, async (at) => {
      results[at] = await storeInputFile(deps, input, { descriptor, file: given[at], at, signal });
    });
    const files: FlowFile[] = [];
    for (const [at, result] of results.entries()) {
      const pointer = buildPointer("input", name, ...(Array.isArray(value) ? [at] : []));
      if (typeof result === "string") errors.push({ pointer, detail: result });
      else files.push(toFlowFile(result));
    }
    const [first] = files;
    if (multiple) setMember(values, name, files);
    else if (first) setMember(values, name, first);
  }
  return errors.length > 0 ? { errors } : { values };
};

type OneFile = {
  descriptor: ParameterDescriptor;
  file: unknown;
  at: number;
  signal: AbortSignal;
};

const storeInputFile = async (
  deps: Deps,
  input: InputFiles,
  { descriptor, file, at, signal }: OneFile,
): Promise<FileItem | string> => {
  const { tenantId, execution, starter, now } = input;
  const reference = readFileReference(file);
  if (typeof reference === "string") return reference;
  const use = { ...execution, starter };
  if ("fileId" in reference) {
    const stored = await findStored(deps.db, input, reference.fileId);
    if (typeof stored === "string") return stored;
    const refused = findRefusal(descriptor, stored);
    if (refused !== undefined) return refused;
    await putFileUse(deps.db, tenantId, stored, use);
    return stored;
  }
  const limits = { maxBytes: getMaxBytes(descriptor), signal };
  const given = await readContent(deps, reference, limits);
  if (typeof given === "string") return given;
  const item = await buildFileItem({
    ...given,
    tenantId,
    id: deriveFileId(execution.executionId, { input: descriptor.name, at }),
    creator: executionAsCreator(execution),
    retentionDays: storedFileLimits.defaultRetentionDays,
    now,
  });
  const refused = findRefusal(descriptor, item);
  if (refused !== undefined) return refused;
  await deps.files.objects.put(item.object, given.content);
  await putUsedFile(deps.db, tenantId, item, use);
  return item;
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
