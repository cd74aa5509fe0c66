import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import {
  type OutgoingOptions,
  type OutgoingRequest,
  type OutgoingResponse,
  request,
  type SendEach,
} from "../../platform/outgoing/request.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { type Prover, sendProven } from "./access-token.ts";
import { maskedExcerpt } from "./failing-response.ts";
import { outgoingFailure } from "./outgoing-failure.ts";
import { readTokenRefusal } from "./token-refusal.ts";

/** The longest that a step, and with it what it calls, may take. */
export const maxCallMs = 900_000;

/**
 * Calls a server for a tool, for as long as the call's signal allows: a step has its own time.
 * Throws an UpstreamError with only the status when it fails or responds with a status of 400 or
 * above, and a ToolError for an address that may not be called. `prover`: of the access token in the call; each redirect has a
 * proof of its own.
 */
export const sendCall = async (
  call: OutgoingRequest,
  options: OutgoingOptions,
  prover?: Prover,
): Promise<OutgoingResponse> => {
  const proofs: string[] = [];
  const methods: string[] = [];
  const sendEach: SendEach = (request, sendOne) => {
    methods.push(request.method);
    // A redirect to another origin has no token.
    return sendProven(request.headers.authorization ? prover : undefined, request, (proof) => {
      proofs.push(...Object.values(proof));
      return sendOne(proof);
    });
  };
  const response = await send({ ...call, sendEach }, options);
  if (response.status < 400) return response;
  const upstream = new URL(call.url).host;
  throw new UpstreamError(`${upstream} responded with status ${response.status}.`, {
    upstream,
    upstreamStatus: response.status,
    // A redirect that changes the method leads to the result of the request before it.
    hasActed: methods.at(0) !== methods.at(-1),
    ...readTokenRefusal(response.status, response.headers["www-authenticate"]),
    responseExcerpt: maskedExcerpt(response.body, {
      ...call,
      headers: { ...call.headers, dpop: proofs.join(" ") },
    }),
  });
};

const send = async (call: OutgoingRequest, options: OutgoingOptions): Promise<OutgoingResponse> => {
  try {
    return await request({ ...(call.signal && { timeoutMs: maxCallMs }), ...call }, options);
  } catch (error) {
    if (error instanceof OutgoingError) throw outgoingFailure(error);
    throw error;
  }
};
