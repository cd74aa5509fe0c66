import type * as z from "zod";
import type { ValidationIssue } from "../platform/http/problems.ts";
import type { Charge } from "../values/text/charge.ts";

/** Members of a document that searches may filter by. */
export type SourceMetadata = Record<string, string | number | boolean | string[]>;

/** A document of a source, with its plain text in pieces of any size. */
export type SourceDocument = {
  readonly fileName: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
  /** The source's own id, which stays when the document is renamed. Default: the name. */
  readonly id?: string | undefined;
  /** Address for readers. */
  readonly link?: string | undefined;
  /** Changes with the document, such as a hash or the time of its last change; without it the text is compared. */
  readonly version?: string | undefined;
  /** Members that searches may filter by. */
  readonly metadata?: SourceMetadata | undefined;
  /**
   * Tokens and chunks of an indexed document, which has an empty text; chunks include their
   * overlap.
   */
  readonly counts?: { readonly tokens: number; readonly chunks: number } | undefined;
};

/**
 * A `fetch` for addresses given by users: public addresses only, with limits of time and bytes. Waits while a
 * source throttles; throws an UpstreamError for status 400 and above.
 */
export type SourceFetch = (
  url: string | URL,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

/** Dependencies of a source. */
export type SourceContext = {
  readonly fetch: SourceFetch;
  readonly signal: AbortSignal;
  readonly charge: Charge;
  /** Returns whether the text of a document is not needed; a source then yields the document without it. */
  readonly skip?:
    | ((document: Pick<SourceDocument, "id" | "fileName" | "version">) => boolean)
    | undefined;
};

/** A type of source. */
export type Source<Parameters extends z.ZodObject = z.ZodObject> = {
  /** Id in the API, such as `google_drive`. */
  readonly key: string;
  readonly displayName: string;
  /**
   * An object of strings with `displayName`, `description` and, for credentials, `secret` in their
   * `meta()`.
   */
  readonly parameters: Parameters;
  /** Checks valid parameters against each other; returns the problems with pointers. */
  check?(parameters: z.output<Parameters>): ValidationIssue[];
  /** Yields documents, holding at most a page in memory. Throws an UpstreamError when the source fails. */
  read(parameters: z.output<Parameters>, context: SourceContext): AsyncIterable<SourceDocument>;
};

/** Settings of a deployment by environment variable, of which a source reads its own: those of its `settings.ts`. */
export type SourceSettings = Readonly<Record<string, string | undefined>>;

/** Creates a vendor's source. */
export type CreateSource = (settings: SourceSettings) => Source;

/** Infers the types of a source. */
export const defineSource = <Parameters extends z.ZodObject>(
  source: Source<Parameters>,
): Source<Parameters> => source;
