import type { A2aReason } from "../edge/a2a-error.ts";
import type { ProblemSlug } from "../platform/http/problem-registry.ts";
import { Problem, type ValidationIssue } from "../platform/http/problems.ts";

const slugs = {
  TASK_NOT_FOUND: "not-found",
  TASK_NOT_CANCELABLE: "conflict",
  PUSH_NOTIFICATION_NOT_SUPPORTED: "validation-failed",
  UNSUPPORTED_OPERATION: "validation-failed",
  CONTENT_TYPE_NOT_SUPPORTED: "validation-failed",
  VERSION_NOT_SUPPORTED: "validation-failed",
} as const satisfies Record<A2aReason, ProblemSlug>;

/** Creates the problem of an error that A2A defines. */
export const a2aProblem = (
  reason: A2aReason,
  detail: string,
  errors: readonly ValidationIssue[] = [],
): Problem =>
  new Problem(slugs[reason], detail, { members: { reason, ...(errors.length > 0 && { errors }) } });

/** Refuses a part of a message that the agent takes no files of. */
export const unsupportedFile = (pointer: string, detail: string): Problem =>
  a2aProblem("CONTENT_TYPE_NOT_SUPPORTED", `${pointer}: ${detail}`, [{ pointer, detail }]);

/** 404 for a task that does not exist, or that the caller may not read. */
export const noTask = (id: string): Problem =>
  a2aProblem("TASK_NOT_FOUND", `There is no task ${JSON.stringify(id.slice(0, 200))}.`);

/** Refuses a request with the configuration of push notifications. */
export const noPush = (): Problem =>
  a2aProblem(
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "Push notifications are not supported. Read the task, or subscribe to it.",
  );
