import type { ProblemError } from "../client/problem-error.ts";
import { type ExitCode, exitCodes } from "./exit.ts";

/** Formats a refused request as one line with title, detail, pointers and request id. */
export const problemLine = (error: ProblemError): string => {
  const { status, title, detail, fields, requestId, problem } = error;
  const places = fields
    .map((place) => `${place.pointer}: ${place.detail}`)
    .filter((place) => !detail.includes(place));
  const message = [title, detail, places.join("; ")].filter(Boolean).join(": ");
  const facts = [String(status), ...(requestId ? [`request ${requestId}`] : [])].join(", ");
  const { credentialSource: source } = problem;
  const hint = typeof source === "string" ? ` The credentials came from ${source}.` : "";
  return `${message} (${facts})${hint}`;
};

/** Returns the exit code of a refused request. */
export const toExitCode = ({ status }: ProblemError): ExitCode => {
  if (status === 401 || status === 402 || status === 403) return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
};
