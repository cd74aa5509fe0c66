import * as z from "zod";
import { Problem } from "../../platform/http/problems.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

const Places = z.array(z.object({ pointer: z.string(), detail: z.string() }));

/** Returns why a source or a model failed a synchronization; undefined for an unexpected error. */
export const syncFailure = (error: unknown): string | undefined => {
  if (error instanceof UpstreamError || error instanceof OutgoingError) return error.message;
  if (!(error instanceof Problem)) return undefined;
  const places = Places.safeParse(error.members.errors).data ?? [];
  if (places.length === 0) return error.message;
  return places.map(({ pointer, detail }) => `${pointer.split("/").at(-1)} ${detail}`).join("; ");
};
