import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import type { Tool } from "../tool.ts";
import { calculate } from "./calculate.ts";
import { currentTime } from "./current-time.ts";
import { createHttpGet } from "./http-get.ts";
import { createHttpRequest } from "./http-request.ts";
import { jsonQuery } from "./json-query.ts";

/** Tools of the built-in integration `system`. */
export const createSystemTools = (outgoing: OutgoingOptions): readonly Tool[] => [
  currentTime,
  calculate,
  jsonQuery,
  createHttpGet(outgoing),
  createHttpRequest(outgoing),
];
