import type { IncomingMessage, ServerResponse } from "node:http";

/** Responds to requests that are not the API's; returns false for the others. */
export type LocalHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Combines handlers: the first that responds wins. */
export const combineHandlers =
  (handlers: readonly LocalHandler[]): LocalHandler =>
  (request, response) =>
    handlers.some((handle) => handle(request, response));
