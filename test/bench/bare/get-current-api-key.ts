import { getTenant, updateItem } from "./storage-calls.ts";

/** The storage calls of `get-current-api-key`: key, tenant. */
export const handler = async () => {
  const key = await updateItem();
  await getTenant();
  return { statusCode: 200, body: JSON.stringify(key) };
};
