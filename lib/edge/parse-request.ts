import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { acceptsLines } from "../platform/http/json-lines.ts";
import { didYouMean } from "../platform/http/nearest-name.ts";
import {
  malformedJson,
  notForm,
  unsupportedMediaType,
  type ValidationIssue,
  validationFailed,
} from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { type Headers, readEventBody } from "../platform/http/request.ts";
import type { Shape } from "../platform/http/row.ts";
import { toIssuePointer, zodErrorMap } from "../platform/http/zod-error-map.ts";
import { checkBodyMembers } from "./body-members.ts";
import type { Link, Routed } from "./context.ts";
import { FormBody, isForm, readForm } from "./form-body.ts";
import { decodeUtf8, readJson } from "./read-json.ts";
import { atLines, readLines } from "./read-lines.ts";
import type { RequestInput, Row } from "./route.ts";

const maxErrors = 50;
const lines = /^application\/jsonl *(?:;.*)?$/i;
const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json *(?:;.*)?$/i;

/** Set by `parseRequest`. */
export type Parsed<R extends Row> = Routed & {
  input: RequestInput<R>;
  /** Line numbers of the body's items; undefined for a body without lines. */
  lines?: readonly number[] | undefined;
};

/**
 * Parses path, query and body with the row's schemas. Throws 400 with every validation error, and 415. Errors of a body
 * of JSON lines, the handler's too, name the line.
 */
export function parseRequest<R extends Row>(row: R): Link<Parsed<R>>;
export function parseRequest(row: Row): Link<Parsed<Row>> {
  // Created once: zod compiles a schema when it is first used.
  const Params = z.object(row.params ?? {});
  const Query = z.object(row.query ?? {});
  const Body = row.body ?? z.undefined();
  return {
    before: ({ event, context }) => {
      const { query: given, wrong } = readQuery(event, row.query ?? {});
      const params = Params.safeParse(context.pathValues, { error: zodErrorMap });
      const query = Query.safeParse(given, { error: zodErrorMap });
      const { sent, numbers } = readBody(row.body, event, context.headers);
      context.lines = numbers;
      const body = Body.safeParse(sent, { error: zodErrorMap });
      const members = checkBodyMembers(row, sent);
      wrong.push(...members.wrong);
      if (params.success && query.success && body.success && wrong.length === 0) {
        const { ignored } = members;
        context.input = { params: params.data, query: query.data, body: body.data, ignored };
        return;
      }
      const errors = [
        ...toInvalidPlaces(params, (path) => `path/${String(path[0])}`),
        ...toInvalidPlaces(query, toQueryPointer),
        ...wrong,
        ...toInvalidPlaces(body, toIssuePointer),
      ];
      throw validationFailed(errors.slice(0, maxErrors));
    },
    onError: (request) => {
      const { lines } = request.context;
      const error = lines && atLines(request.error, lines);
      if (error instanceof Error) request.error = error;
    },
  };
}

/** The value of a body; undefined for an empty one where the row allows it. */
type SentBody = { sent: unknown; numbers?: readonly number[] };

const readBody = (
  schema: z.ZodType | undefined,
  event: APIGatewayProxyEvent,
  headers: Headers,
): SentBody => {
  if (!schema) return { sent: undefined };
  const bytes = readEventBody(event);
  if (schema === RawBody) return { sent: bytes };
  const contentType = headers.get("content-type")?.[0] ?? "";
  if (schema === FormBody) {
    if (!isForm(contentType)) throw notForm();
    return { sent: readForm(bytes) };
  }
  if (acceptsLines(schema) && lines.test(contentType)) {
    const { items, numbers } = readLines(bytes);
    return { sent: { items }, numbers };
  }
  const mayBeEmpty = bytes.byteLength === 0 && schema.safeParse(undefined).success;
  return { sent: mayBeEmpty ? undefined : jsonBody(bytes, contentType) };
};

const toInvalidPlaces = (
  result: z.ZodSafeParseResult<unknown>,
  pointer: (path: readonly PropertyKey[]) => string,
): ValidationIssue[] =>
  (result.error?.issues ?? []).map((issue) => ({
    pointer: pointer(issue.path),
    detail: issue.message,
  }));

/** Returns the pointer of a query parameter; one that was matched by its beginning has the name that was given. */
const toQueryPointer = ([parameter, member]: readonly PropertyKey[]): string => {
  const [prefix, pattern] = String(parameter).split("{", 2);
  return pattern === undefined || member === undefined
    ? `query/${String(parameter)}`
    : `query/${prefix}${String(member)}`;
};

/**
 * Reads the query parameters that a row has. A parameter of the row such as `metadata.{name}` matches all names
 * of that beginning, and is read as an object.
 */
const readQuery = (event: APIGatewayProxyEvent, shape: Shape) => {
  const query: Record<string, unknown> = {};
  const wrong: ValidationIssue[] = [];
  const members: { parameter: string; member: string; value: string }[] = [];
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    const place = findParameter(name, shape);
    const pointer = `query/${name}`;
    const [first = "", ...more] = values ?? [];
    if (!place) wrong.push({ pointer, detail: unknownParameter(name, shape) });
    else if (more.length > 0) wrong.push({ pointer, detail: "is given more than once" });
    else if (place.member === undefined) query[place.parameter] = first;
    else members.push({ parameter: place.parameter, member: place.member, value: first });
  }
  for (const [parameter, given] of Map.groupBy(members, (member) => member.parameter)) {
    query[parameter] = Object.fromEntries(given.map(({ member, value }) => [member, value]));
  }
  return { query, wrong };
};

const findParameter = (
  name: string,
  shape: Shape,
): { parameter: string; member?: string } | undefined => {
  for (const parameter of Object.keys(shape)) {
    const prefix = parameter.split("{", 1)[0] ?? "";
    if (prefix === parameter && parameter === name) return { parameter };
    if (prefix !== parameter && name.startsWith(prefix) && name !== prefix) {
      return { parameter, member: name.slice(prefix.length) };
    }
  }
  return undefined;
};

const unknownParameter = (name: string, shape: Shape): string =>
  didYouMean("is not a parameter of this operation", name, Object.keys(shape));

const jsonBody = (bytes: Uint8Array, contentType: string): unknown => {
  if (bytes.byteLength === 0) throw malformedJson("The body is empty; this endpoint needs JSON.");
  if (!json.test(contentType)) throw unsupportedMediaType();
  return readJson(decodeUtf8(bytes));
};
