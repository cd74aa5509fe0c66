import type * as z from "zod";

/** HTTP methods that a row may have. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Named schemas of path or query parameters. */
export type Shape = Readonly<Record<string, z.ZodType>>;
