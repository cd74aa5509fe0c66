import type { InboundRequest } from "../http/inbound.ts";

/** A header's value; undefined when it is missing, and when it is there twice, which no provider does. */
export const getSingleHeader = ({ headers }: InboundRequest, name: string): string | undefined => {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
};

/** Whether a header is there at all. */
export const hasHeader = ({ headers }: InboundRequest, name: string): boolean =>
  (headers.get(name)?.length ?? 0) > 0;
