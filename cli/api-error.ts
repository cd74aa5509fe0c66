import * as z from "zod";
import { type ExitCode, exitCodes, WharfError } from "./exit.ts";
import { parseJson } from "./parse-json.ts";

/** Thrown for a response outside 200 to 299. */
export class ApiError extends WharfError {
  override name = "ApiError";
  readonly slug: string | undefined;

  constructor(exitCode: ExitCode, message: string, slug: string | undefined) {
    super(exitCode, message);
    this.slug = slug;
  }
}

/** A response with its body as text. */
export type RawResponse = { status: number; headers: Headers; text: string };

const ProblemDocument = z.object({
  type: z.string().optional(),
  title: z.string(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** Converts a failed response to an error: one line with title, detail, pointers and request id. */
export const toApiError = (response: RawResponse, source: string | undefined): ApiError => {
  const { status, headers, text } = response;
  const { data: problem } = ProblemDocument.safeParse(parseJson(text));
  const requestId = problem?.requestId ?? headers.get("x-request-id");
  const facts = [String(status), ...(requestId ? [`request ${requestId}`] : [])].join(", ");
  const message = problem === undefined ? describeOther(response) : describeProblem(problem);
  const hint =
    status === 401 && source !== undefined ? ` The credentials came from ${source}.` : "";
  const slug = problem?.type?.split("/").at(-1);
  return new ApiError(exitCodeOf(status), `${message} (${facts})${hint}`, slug);
};

const describeProblem = ({ title, detail, errors }: z.output<typeof ProblemDocument>): string => {
  const places = (errors ?? [])
    .map((place) => `${place.pointer}: ${place.detail}`)
    .filter((place) => !detail?.includes(place));
  return [title, detail, places.join("; ")].filter(Boolean).join(": ");
};

/** Gateways and proxies respond with a `message`, an HTML page or a redirect. */
const describeOther = ({ status, headers, text }: RawResponse): string => {
  const { data } = z.object({ message: z.string() }).safeParse(parseJson(text));
  if (data !== undefined) return `The API responded: ${data.message}`;
  if (status >= 300 && status < 400) return "The API responded with a redirect. Check the URL.";
  return `The response is ${contentTypeOf(headers)}, not problem details. Check the URL.`;
};

/** Returns the media type of a response for a message. */
export const contentTypeOf = (headers: Headers): string =>
  headers.get("content-type")?.split(";")[0] ?? "of an unknown type";

const exitCodeOf = (status: number): ExitCode => {
  if (status === 401 || status === 402 || status === 403) return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
};
