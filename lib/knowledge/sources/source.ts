import type * as z from "zod";
import type { InvalidPlace } from "../../platform/http/problems.ts";

/** One document of a source: its text as a reader would see it, in pieces of any size. */
export type SourceDocument = {
  readonly fileName: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
};

/**
 * A `fetch` to addresses that users gave: guarded, with a limit of time and of bytes (the body streams), one
 * that waits while a source throttles, and that throws an UpstreamError for a status of 400 and above.
 */
export type SourceFetch = (
  url: string | URL,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

/** What a source has to work with. */
export type SourceContext = {
  readonly fetch: SourceFetch;
  readonly signal: AbortSignal;
  readonly charge: Charge;
};

/**
 * Charges the work on so many characters to the request, before it is done. Called for pieces of at most 32 KiB.
 * Throws when the request has no time left.
 */
export type Charge = (characters: number) => void;

/** A kind of place where documents are: one file each, its parameters a zod object of strings. */
export type Source<Parameters extends z.ZodObject = z.ZodObject> = {
  /** Such as `google_drive`. */
  readonly key: string;
  readonly displayName: string;
  /** Each member a string, with `displayName`, `description` and, for credentials, `secret` in its meta(). */
  readonly parameters: Parameters;
  /** What does not fit together of parameters that fit each for itself, with pointers to them. */
  misfits?(parameters: z.output<Parameters>): InvalidPlace[];
  /**
   * Reads page by page and never holds more than a page. Throws an UpstreamError when the source fails.
   */
  read(parameters: z.output<Parameters>, context: SourceContext): AsyncIterable<SourceDocument>;
};

/** Gives a source its types. */
export const defineSource = <Parameters extends z.ZodObject>(
  source: Source<Parameters>,
): Source<Parameters> => source;
