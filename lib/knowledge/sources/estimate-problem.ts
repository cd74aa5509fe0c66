import { Problem, validationFailed } from "../../platform/http/problems.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { TooManyDocuments } from "./count-documents.ts";
import type { Totals } from "./tally.ts";

/** Where an estimate stood when it failed. */
export type Standing = {
  /** Key of the source. */
  type: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Pointer to where the parameters stand in the body. */
  at: string;
  isOver: boolean;
  totals: Totals;
};

/**
 * The problem as which a failed estimate is answered; errors of our own are returned as they are. No cause is
 * kept that was made of a request: it may hold credentials.
 */
export const toEstimateProblem = (error: unknown, standing: Standing): unknown => {
  const { type, at, totals, isOver } = standing;
  if (error instanceof Problem) return withPlace(error, at);
  if (isOver) return timeout(`${type} could not be read within the time of a call.`, type, totals);
  if (error instanceof SandboxLimitError) {
    const detail = `${type} needs more processor time to be read than a call may take (${processorLimits.estimateMs / 1_000} s).`;
    return timeout(detail, type, totals);
  }
  if (error instanceof TooManyDocuments) {
    const detail = `${type} has more documents than an answer holds (20,000): narrow down what is read`;
    return validationFailed([{ pointer: at, detail }]);
  }
  if (error instanceof UpstreamError) {
    const { message, upstream, upstreamStatus, timedOut } = error;
    if (timedOut) return timeout(message, upstream, totals, upstreamStatus);
    return new Problem("upstream-failed", message, { members: { upstream, upstreamStatus } });
  }
  return error instanceof OutgoingError ? outgoingProblem(error, standing) : error;
};

const timeout = (detail: string, upstream: string, totals: Totals, upstreamStatus?: number) =>
  new Problem("upstream-timeout", `${detail} Narrow down what is read, or try again later.`, {
    members: { upstream, upstreamStatus, ...totals },
  });

const outgoingProblem = (error: OutgoingError, { parameters, at, type, totals }: Standing) => {
  const { kind, message } = error;
  const upstream = error.host === "" ? type : error.host;
  if (kind === "timeout") return timeout(message, upstream, totals);
  if (kind === "bad-request") {
    const detail = "holds a character that cannot be sent, such as a line break in a credential";
    return validationFailed([{ pointer: at, detail }]);
  }
  if (kind === "bad-url" || kind === "blocked-address") {
    const name = Object.keys(parameters).find((each) => leadsTo(parameters[each], error.host));
    if (name !== undefined)
      return validationFailed([{ pointer: `${at}/${name}`, detail: message }]);
  }
  return new Problem("upstream-failed", message, { members: { upstream } });
};

/** Whether a parameter is an address on this host, or the first part of its name, such as a subdomain. */
const leadsTo = (value: unknown, host: string): boolean => {
  if (typeof value !== "string" || value === "" || host === "") return false;
  const url = parseAddress(value);
  return url ? url.host === host : host.startsWith(`${value}.`);
};

/** A source names its parameters alone; the caller sees where they stand in the body. */
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
