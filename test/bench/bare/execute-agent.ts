import { randomUUID } from "node:crypto";
import {
  getItem,
  getRevision,
  getTenant,
  updateItem,
  writeEnd,
  writeStart,
} from "./storage-calls.ts";

/** The storage calls of `execute-agent`: key, tenant, agent, revision, start, end. */
export const handler = async () => {
  const id = randomUUID();
  await updateItem();
  await getTenant();
  await getItem();
  await getRevision();
  await writeStart(id);
  await writeEnd(id);
  return { statusCode: 200, body: JSON.stringify({ id }) };
};
