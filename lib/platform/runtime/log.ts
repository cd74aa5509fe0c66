import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";
import { redact } from "./redact.ts";
import { currentRequestId } from "./request-scope.ts";
import { type LogMessage, logMessages } from "./telemetry.ts";

/** Attributes of a line: ids and counts, never bodies, headers, or paths as they came in. */
type Attributes = {
  error?: Error;
  /** Operation of the row, which the message contains. */
  operation?: string;
  [id: string]: string | number | readonly string[] | Error | undefined;
};

let logger: Logger | undefined;

/**
 * Writes a message of the catalogue to the function's structured log, with the id of the request that the work is for.
 * What looks like a secret is left out.
 */
export const log = (name: LogMessage, { operation = "", ...attributes }: Attributes = {}): void => {
  logger ??= new Logger({ jsonReplacerFn: redact, logFormatter: new ShortFormatter() });
  const { level, text } = logMessages[name];
  const requestId = currentRequestId();
  const all = { ...(requestId !== undefined && { requestId }), ...attributes };
  logger[level](text.replace("{operation}", operation), all);
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
