/** The value of an attribute; an empty text is left out. */
type AttributeValue = string | number | boolean | readonly string[];

/** Attributes of a span by name; those that are undefined are left out. */
export type SpanAttributes = Readonly<Record<string, AttributeValue | null | undefined>>;

/** Kinds of spans. */
export const spanKinds = { internal: 1, client: 3 } as const;

/** A span to export. Times in Unix milliseconds. */
export type ExportedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  tracestate?: string | undefined;
  /** Two hexadecimal digits. */
  flags: string;
  name: string;
  kind: (typeof spanKinds)[keyof typeof spanKinds];
  startTime: number;
  endTime: number;
  attributes: SpanAttributes;
  /** Whether it failed, and the message where it may be shown. */
  failure?: { message?: string | undefined } | undefined;
};

const statusCodes = { unset: 0, error: 2 } as const;

/**
 * Formats spans as the JSON body of an OTLP/HTTP request
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 */
export const formatOtlp = (resource: SpanAttributes, spans: readonly ExportedSpan[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ "service.name": "wharf", ...resource }) },
        scopeSpans: [{ scope: { name: "wharf" }, spans: spans.map(toSpan) }],
      },
    ],
  });

const toSpan = ({ tracestate, flags, startTime, endTime, ...span }: ExportedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  ...(tracestate !== undefined && { traceState: tracestate }),
  flags: Number.parseInt(flags, 16),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: toNanoseconds(startTime),
  endTimeUnixNano: toNanoseconds(endTime),
  attributes: toAttributes(span.attributes),
  status: {
    code: span.failure ? statusCodes.error : statusCodes.unset,
    ...(span.failure?.message !== undefined && { message: span.failure.message }),
  },
});

/** Formats Unix milliseconds; the number of nanoseconds is beyond the integers that JSON numbers keep. */
const toNanoseconds = (time: number): string => `${time}000000`;

const toAttributes = (attributes: SpanAttributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null || value === "" ? [] : [{ key, value: toValue(value) }],
  );

const toValue = (value: AttributeValue) => {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "object") {
    return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  }
  // An integer of 64 bits is a text in JSON.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};
