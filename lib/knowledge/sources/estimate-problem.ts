import { Problem, validationFailed } from "../../platform/http/problems.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { TooManyDocuments } from "./count-documents.ts";
import type { Totals } from "./tally.ts";

/** State of an estimate when it failed. */
export type EstimateState = {
  /** Key of the source. */
  type: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Pointer to the parameters in the body. */
  at: string;
  /** Whether the time limit has passed. */
  isOver: boolean;
  totals: Totals;
};

/**
 * Converts an estimate's error to a problem; unexpected errors are returned unchanged. Drops causes that describe a
 * request, because they may contain credentials.
 */
export const toEstimateProblem = (error: unknown, state: EstimateState): unknown => {
  const { type, at, totals, isOver } = state;
  if (error instanceof Problem) return withPlace(error, at);
  if (isOver) return timeout(`Reading ${type} took longer than a request may.`, type, totals);
  if (error instanceof SandboxLimitError) {
    const detail = `Reading ${type} took more processor time than a request may (${processorLimits.estimateMs / 1_000} s).`;
    return timeout(detail, type, totals);
  }
  if (error instanceof TooManyDocuments) {
    const detail = `${type} has more documents than a response can list (20,000): select fewer`;
    return validationFailed([{ pointer: at, detail }]);
  }
  if (error instanceof UpstreamError) {
    const { message, upstream, upstreamStatus, timedOut } = error;
    if (timedOut) return timeout(message, upstream, totals, upstreamStatus);
    return new Problem("upstream-failed", message, { members: { upstream, upstreamStatus } });
  }
  return error instanceof OutgoingError ? outgoingProblem(error, state) : error;
};

const timeout = (detail: string, upstream: string, totals: Totals, upstreamStatus?: number) =>
  new Problem("upstream-timeout", `${detail} Select fewer documents, or try again later.`, {
    members: { upstream, upstreamStatus, ...totals },
  });

const outgoingProblem = (error: OutgoingError, { parameters, at, type, totals }: EstimateState) => {
  const { kind, message } = error;
  const upstream = error.host === "" ? type : error.host;
  if (kind === "timeout") return timeout(message, upstream, totals);
  if (kind === "bad-request") {
    const detail = "contains a character that cannot be sent, such as a line break in a credential";
    return validationFailed([{ pointer: at, detail }]);
  }
  if (kind === "bad-url" || kind === "blocked-address") {
    const name = Object.keys(parameters).find((candidate) =>
      leadsTo(parameters[candidate], error.host),
    );
    if (name !== undefined)
      return validationFailed([{ pointer: `${at}/${name}`, detail: message }]);
  }
  return new Problem("upstream-failed", message, { members: { upstream } });
};

/** Returns whether a parameter is an address on this host, or the host's subdomain. */
const leadsTo = (value: unknown, host: string): boolean => {
  if (typeof value !== "string" || value === "" || host === "") return false;
  const url = parseAddress(value);
  return url ? url.host === host : host.startsWith(`${value}.`);
};

/** Prefixes a problem's pointers, which a source gives relative to its parameters. */
const withPlace = (problem: Problem, at: string): Problem => {
  const { errors } = problem.members;
  if (problem.slug !== "validation-failed" || !Array.isArray(errors)) return problem;
  return validationFailed(
    errors.map(({ pointer, detail }: { pointer: string; detail: string }) => ({
      pointer: pointer.startsWith("/parameters/")
        ? `${at}${pointer.slice("/parameters".length)}`
        : `${at}${pointer}`,
      detail,
    })),
  );
};
