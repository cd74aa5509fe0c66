import * as z from "zod";
import { RpcErrorResponse } from "../edge/a2a-error.ts";

/** Id of a request of JSON-RPC. */
const RpcId = z.union([z.string().max(1_000), z.number()]);
export type RpcId = z.output<typeof RpcId>;

/** A request of JSON-RPC. */
export const RpcRequest = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: RpcId,
    method: z.string().max(200),
    params: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({
    id: "A2aRpcRequest",
    example: {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: {
        message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Ada" }] },
      },
    },
  });
export type RpcRequest = z.output<typeof RpcRequest>;

const RpcResult = z
  .object({ jsonrpc: z.literal("2.0"), id: RpcId.nullable(), result: z.unknown() })
  .meta({ id: "A2aRpcResult" });

/** A response of JSON-RPC: the result of the method, or an error. */
export const RpcResponse = z.union([RpcErrorResponse, RpcResult]).meta({ id: "A2aRpcResponse" });
export type RpcResponse = z.output<typeof RpcResponse>;
