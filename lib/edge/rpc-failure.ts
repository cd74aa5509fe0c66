import * as z from "zod";
import { readRpcId } from "./a2a-error.ts";

const Document = z.looseObject({ title: z.string(), detail: z.string() });

/** INTERNAL_ERROR of JSON-RPC: the request had been accepted. */
const internalError = -32_603;

/**
 * Builds the error of JSON-RPC for a problem document that ends a stream.
 * @param request the body of the request; undefined before it was parsed
 */
export const toRpcFailure = (problem: unknown, request: unknown): object => {
  const document = Document.parse(problem);
  const error = { code: internalError, message: document.detail, data: document };
  return { jsonrpc: "2.0", id: readRpcId(request), error };
};
