import { getItem, getTenant, updateItem } from "./storage-calls.ts";

/** The storage calls of `get-agent`: key, tenant, agent. */
export const handler = async () => {
  await updateItem();
  await getTenant();
  return { statusCode: 200, body: JSON.stringify(await getItem()) };
};
