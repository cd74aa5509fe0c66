import * as z from "zod";
import { type ExitCode, exitCodes, WharfError } from "./exit.ts";
import { parseJson } from "./parse-json.ts";

/** An answer that says no. */
export class ApiError extends WharfError {
  override name = "ApiError";
  readonly slug: string | undefined;

  constructor(exitCode: ExitCode, message: string, slug: string | undefined) {
    super(exitCode, message);
    this.slug = slug;
  }
}

/** What is read of an answer. */
export type RawAnswer = { status: number; headers: Headers; text: string };

const ProblemDocument = z.object({
  type: z.string().optional(),
  title: z.string(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** The error for an answer outside 200 to 299: one line with title, detail, places and request id. */
export const toApiError = (answer: RawAnswer, source: string | undefined): ApiError => {
  const { status, headers, text } = answer;
  const { data: problem } = ProblemDocument.safeParse(parseJson(text));
  const requestId = problem?.requestId ?? headers.get("x-request-id");
  const facts = [String(status), ...(requestId ? [`request ${requestId}`] : [])].join(", ");
  const words = problem === undefined ? describeOther(answer) : describeProblem(problem);
  const hint =
    status === 401 && source !== undefined ? ` The credentials came from ${source}.` : "";
  const slug = problem?.type?.split("/").at(-1);
  return new ApiError(exitCodeOf(status), `${words} (${facts})${hint}`, slug);
};

const describeProblem = ({ title, detail, errors }: z.output<typeof ProblemDocument>): string => {
  const places = (errors ?? [])
    .map((place) => `${place.pointer}: ${place.detail}`)
    .filter((place) => !detail?.includes(place));
  return [title, detail, places.join("; ")].filter(Boolean).join(": ");
};

/** Gateways and proxies answer with a `message`, an HTML page or a redirection. */
const describeOther = ({ status, headers, text }: RawAnswer): string => {
  const { data } = z.object({ message: z.string() }).safeParse(parseJson(text));
  if (data !== undefined) return `The API answered: ${data.message}`;
  if (status >= 300 && status < 400)
    return "The API answered with a redirection. Is the URL right?";
  return `The answer is ${contentTypeOf(headers)}, not a problem document. Is the URL right?`;
};

/** The media type of an answer, in words. */
export const contentTypeOf = (headers: Headers): string =>
  headers.get("content-type")?.split(";")[0] ?? "of no known type";

const exitCodeOf = (status: number): ExitCode => {
  if (status === 401 || status === 402 || status === 403) return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
};
