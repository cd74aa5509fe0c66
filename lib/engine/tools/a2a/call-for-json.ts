import type { OutgoingOptions, OutgoingRequest } from "../../../platform/outgoing/request.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { isDeeperThan, maxJsonDepth } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { sendCall } from "../send-call.ts";

/** Calls a server that responds with JSON. Throws ToolError, and UpstreamError, also for other responses. */
export const callForJson = async (
  call: OutgoingRequest,
  outgoing: OutgoingOptions,
): Promise<unknown> => {
  const { body } = await sendCall(call, outgoing);
  const parsed = parseJson(body.toString("utf8"));
  if (parsed.ok && !isDeeperThan(parsed.value, maxJsonDepth)) return parsed.value;
  const upstream = new URL(call.url).host;
  const what = parsed.ok ? "JSON nested too deeply" : "something other than JSON";
  throw new UpstreamError(`${upstream} responded with ${what}.`, { upstream });
};
