import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";
import { redact } from "./redact.ts";

let logger: Logger | undefined;

/**
 * The function's structured logger. Log ids and counts, never bodies, headers, or paths as they came in;
 * what looks like a secret all the same is left out.
 */
export const log = (): Logger => {
  logger ??= new Logger({ jsonReplacerFn: redact, logFormatter: new ShortFormatter() });
  return logger;
};

/** Formats a line without attributes of equal value in all lines; CloudWatch charges by the byte. */
class ShortFormatter extends LogFormatter {
  override formatAttributes(
    { logLevel, message, timestamp, serviceName }: UnformattedAttributes,
    more: LogAttributes,
  ): LogItem {
    const attributes = {
      level: logLevel,
      message,
      timestamp: this.formatTimestamp(timestamp),
      // The message of a call's line has the operation.
      ...(logLevel !== "INFO" && { service: serviceName }),
    };
    return new LogItem({ attributes }).addAttributes(more);
  }
}
