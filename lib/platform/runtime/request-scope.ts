import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<string>();

/**
 * Runs work for a request: log lines of the work have its id, and so do those of messages that the work sends, however
 * many queues later.
 */
export const withRequestId = <Result>(requestId: string, work: () => Result): Result =>
  scope.run(requestId, work);

/** Runs work for the request that caused it, as `withRequestId`; for the current one without an id. */
export const forRequest = <Result>(requestId: string | undefined, work: () => Result): Result =>
  requestId === undefined ? work() : withRequestId(requestId, work);

/** Returns the id of the request that the current work is for; undefined for none, such as a schedule's. */
export const currentRequestId = (): string | undefined => scope.getStore();
