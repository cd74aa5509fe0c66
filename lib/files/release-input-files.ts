import { isDeepStrictEqual } from "node:util";
import { FlowFile } from "../engine/flow-file.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import { executionAsCreator, type FileCreator } from "./file-item.ts";
import type { FileStorage } from "./file-storage.ts";
import { removeFile } from "./remove-file.ts";
import { deleteFileUse, getFile, type UsingExecution } from "./store.ts";

/** An execution that does not run, and its inputs with their files as expressions see them. */
export type ReleasedInputs = {
  tenantId: TenantId;
  execution: UsingExecution;
  parameters: readonly ParameterDescriptor[];
  values: Readonly<Record<string, unknown>>;
  /** The connector of a chat message: its files are removed, too. Absent for none. */
  connectorId?: string | undefined;
  now: number;
};

/**
 * Removes the files that were stored for the inputs of an execution which does not run, and its uses of files that the inputs
 * name.
 */
export const releaseInputFiles = async (
  { db, files }: { db: Database; files: { objects: Pick<FileStorage["objects"], "remove"> } },
  { tenantId, execution, parameters, values, connectorId, now }: ReleasedInputs,
): Promise<void> => {
  const makers: FileCreator[] = [executionAsCreator(execution)];
  if (connectorId !== undefined) makers.push({ type: "Connector", id: connectorId });
  const release = async ({ id }: FlowFile): Promise<void> => {
    const item = await getFile(db, tenantId, id, now);
    if (!item) return;
    if (makers.some((maker) => isDeepStrictEqual(item.creator, maker))) {
      await removeFile({ db, ...files }, { tenantId, item });
    }
    await deleteFileUse(db, tenantId, id, execution);
  };
  await Promise.all(listInputFiles(parameters, values).map(release));
};

/** Lists the files of inputs. */
const listInputFiles = (
  parameters: readonly ParameterDescriptor[],
  values: ReleasedInputs["values"],
): FlowFile[] =>
  parameters.flatMap(({ type, name }) => {
    const value = type === "File" && Object.hasOwn(values, name) ? values[name] : undefined;
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    return given.flatMap((file) => FlowFile.safeParse(file).data ?? []);
  });
