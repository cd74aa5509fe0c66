import * as z from "zod";
import { parseTracestate } from "./tracestate.ts";

/**
 * A position in a trace, as headers send it (https://www.w3.org/TR/trace-context/): its trace, the span to which more
 * spans are added, and the state of tracing systems.
 */
export const TraceContext = z.object({
  traceparent: z.string(),
  tracestate: z.string().optional(),
});
export type TraceContext = z.output<typeof TraceContext>;

/** The fields of a `traceparent`: lower-case hexadecimal digits, 32 of the trace, 16 of the span and 2 of flags. */
export type TraceParent = { traceId: string; spanId: string; flags: string };

const pattern =
  /^(?<version>[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/;
const unusable = /^0+$/;

/** Parses a `traceparent`; undefined for one that is not valid. A higher version is read as version 00. */
export const parseTraceparent = (text: string): TraceParent | undefined => {
  const { version, traceId, spanId, flags, more } = pattern.exec(text)?.groups ?? {};
  if (version === undefined || !traceId || !spanId || !flags || version === "ff") return undefined;
  if (version === "00" && more !== undefined) return undefined;
  if (unusable.test(traceId) || unusable.test(spanId)) return undefined;
  return { traceId, spanId, flags: knownFlags(flags) };
};

/** Keeps the flags that are defined: sampled (1) and random (2). */
const knownFlags = (flags: string): string => `0${Number.parseInt(flags, 16) & 3}`;

/** Formats a `traceparent` of version 00. */
export const formatTraceparent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${flags}`;

/** Reads the trace context of a request; undefined without exactly one valid `traceparent`. */
export const readTraceContext = (
  headers: ReadonlyMap<string, readonly string[]>,
): TraceContext | undefined => {
  const [text, ...others] = headers.get("traceparent") ?? [];
  const parent =
    text === undefined || others.length > 0 ? undefined : parseTraceparent(text.trim());
  if (!parent) return undefined;
  const tracestate = parseTracestate(headers.get("tracestate") ?? []);
  return {
    traceparent: formatTraceparent(parent),
    ...(tracestate !== undefined && { tracestate }),
  };
};
