import {
  type DescribeContext,
  describeResponse,
  type ResponseStorage,
} from "./describe-response.ts";
import { findResponse } from "./find-response.ts";
import { noResponse, parseResponseId } from "./ids.ts";
import type { OpenAiResponse } from "./schemas.ts";

/** Returns the response of an execution. Throws 404, also for one that the caller may not read. */
export const getResponse = async (
  storage: ResponseStorage,
  { ctx, id }: { ctx: DescribeContext; id: string },
): Promise<OpenAiResponse> => {
  const key = parseResponseId(id);
  const found = key && (await findResponse(storage, { ctx, key }));
  if (!found) throw noResponse(id, "response_id");
  return describeResponse(storage, { ctx, found });
};
