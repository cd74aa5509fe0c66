import { randomUUID } from "node:crypto";
import { getItem, updateItem, writeEnd, writeStart } from "./storage-calls.ts";

/** The storage calls of a cold `execute-agent`: key, tenant, agent, revision, start, end. */
export const handler = async () => {
  const id = randomUUID();
  await updateItem();
  await getItem();
  await getItem();
  await getItem();
  await writeStart(id);
  await writeEnd(id);
  return { statusCode: 200, body: JSON.stringify({ id }) };
};
