import * as z from "zod";

/** A path variable of an inbound address: what does not fit is unknown, not wrong. */
export const InboundVariable = (example: string, description: string) =>
  z.string().max(512).meta({ example, description });
