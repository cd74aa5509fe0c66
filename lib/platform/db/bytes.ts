import * as z from "zod";

/** A binary attribute. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
