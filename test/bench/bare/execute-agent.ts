import { randomUUID } from "node:crypto";
import { getItem, getRevision, getTenant, updateItem, writeExecution } from "./storage-calls.ts";

/** The storage calls of `execute-agent`: key, tenant, agent, revision, execution. */
export const handler = async () => {
  const id = randomUUID();
  await updateItem();
  await getTenant();
  await getItem();
  await getRevision();
  await writeExecution(id);
  return { statusCode: 200, body: JSON.stringify({ id }) };
};
