import { Logger } from "@aws-lambda-powertools/logger";

let logger: Logger | undefined;

/**
 * The function's structured logger. Log ids and counts, never bodies, headers, paths as they came in,
 * or anything that may hold a secret.
 */
export const log = (): Logger => {
  logger ??= new Logger();
  return logger;
};
