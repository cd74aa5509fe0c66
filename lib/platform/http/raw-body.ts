import * as z from "zod";

/** Body of a row that takes a file: bytes of any type, up to 4 MiB. */
export const RawBody = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array && value.byteLength > 0, {
    error: "must not be empty",
  })
  .meta({
    override: { type: "string", format: "binary" },
    example: "# Returns\n\nYou can return an item within 30 days.",
  });
