import { getItem, updateItem } from "./storage-calls.ts";

/** The storage calls of a cold `get-agent`: key, tenant, agent. */
export const handler = async () => {
  await updateItem();
  await getItem();
  return { statusCode: 200, body: JSON.stringify(await getItem()) };
};
