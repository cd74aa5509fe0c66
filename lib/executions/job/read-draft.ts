import * as z from "zod";
import { loadDraft, StoredDraft } from "../../agents/revision/draft.ts";
import type { LoadedRevision } from "../../agents/revision/load-revision.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { readStoredValue, type Storage } from "../record/values.ts";

const DraftSecrets = z.record(z.string(), z.string());

/** Reads the draft that an execution runs, with its secrets; undefined for one of a revision. */
export const readDraft = async (
  { sealer, ...storage }: Storage & { sealer: Sealer },
  { item, draft, draftSecrets }: StoredExecution,
): Promise<LoadedRevision | undefined> => {
  if (!draft) return undefined;
  const key = toExecutionKey(item);
  const { tenantId, executionId } = key;
  const [stored, secrets] = await Promise.all([
    readStoredValue(storage, key, draft),
    draftSecrets ? sealer.open(draftSecrets, { tenantId, executionId }) : {},
  ]);
  return loadDraft(StoredDraft.parse(stored), DraftSecrets.parse(secrets));
};
