import { getItem, updateItem } from "./storage-calls.ts";

/** The storage calls of a cold `get-current-api-key`: key, tenant. */
export const handler = async () => {
  const key = await updateItem();
  await getItem();
  return { statusCode: 200, body: JSON.stringify(key) };
};
