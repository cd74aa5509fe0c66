import { Logger } from "@aws-lambda-powertools/logger";
import { redact } from "./redact.ts";

let logger: Logger | undefined;

/**
 * The function's structured logger. Log ids and counts, never bodies, headers, or paths as they came in;
 * what looks like a secret all the same is left out.
 */
export const log = (): Logger => {
  logger ??= new Logger({ jsonReplacerFn: redact });
  return logger;
};
