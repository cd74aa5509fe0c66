import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { didYouMean } from "./nearest-name.ts";
import {
  type InvalidPlace,
  malformedJson,
  Problem,
  unsupportedMediaType,
  validationFailed,
} from "./problems.ts";
import { bodyOf, bodySize, type Headers } from "./request.ts";
import type { Shape } from "./row.ts";
import { zodErrorMap } from "./zod-error-map.ts";

const deepestNesting = 100;
const mostErrors = 50;
const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json *(?:;.*)?$/i;

type Parsed<Named extends Shape> = { [Name in keyof Named]: z.output<Named[Name]> };

/** What a row's schemas made of a request. */
export type ParsedRequest<Params extends Shape, Query extends Shape, Body extends z.ZodType> = {
  params: Parsed<Params>;
  query: Parsed<Query>;
  body: z.output<Body>;
};

/** Reads a request by its row. Throws 400 with every place that does not fit, or 415. */
export const parseRequest = <Params extends Shape, Query extends Shape, Body extends z.ZodType>(
  row: { params: Params | undefined; query: Query | undefined; body: Body | undefined },
  event: APIGatewayProxyEvent,
  headers: Headers,
  pathValues: Readonly<Record<string, string>>,
): ParsedRequest<Params, Query, Body> => {
  const { query: given, wrong } = queryOf(event, row.query ?? {});
  const params = parseShape(row.params, pathValues);
  const query = parseShape(row.query, given);
  const body = parseBody(row.body, event, headers);
  if (params.success && query.success && body.success && wrong.length === 0) {
    return { params: params.data, query: query.data, body: body.data };
  }
  const errors = [
    ...placesOf(params, (path) => `path/${String(path[0])}`),
    ...placesOf(query, (path) => `query/${String(path[0])}`),
    ...wrong,
    ...placesOf(body, pointerOf),
  ];
  throw validationFailed(errors.slice(0, mostErrors));
};

function parseShape<Named extends Shape>(
  shape: Named | undefined,
  value: unknown,
): z.ZodSafeParseResult<Parsed<Named>>;
function parseShape(shape: Shape | undefined, value: unknown) {
  return z.object(shape ?? {}).safeParse(value, { error: zodErrorMap });
}

function parseBody<Body extends z.ZodType>(
  schema: Body | undefined,
  event: APIGatewayProxyEvent,
  headers: Headers,
): z.ZodSafeParseResult<z.output<Body>>;
function parseBody(schema: z.ZodType | undefined, event: APIGatewayProxyEvent, headers: Headers) {
  if (!schema) return z.undefined().safeParse(undefined);
  const mayBeEmpty = bodySize(event) === 0 && schema.safeParse(undefined).success;
  return schema.safeParse(mayBeEmpty ? undefined : jsonBody(event, headers), {
    error: zodErrorMap,
  });
}

const placesOf = (
  result: z.ZodSafeParseResult<unknown>,
  pointer: (path: readonly PropertyKey[]) => string,
): InvalidPlace[] =>
  (result.error?.issues ?? []).map((issue) => ({
    pointer: pointer(issue.path),
    detail: issue.message,
  }));

/** A path as a JSON pointer (RFC 6901); "" is the whole body. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/**
 * Reads the query parameters that a row has. A parameter of the row such as `metadata.{name}` stands for all names
 * of that beginning, and is read as an object.
 */
const queryOf = (event: APIGatewayProxyEvent, shape: Shape) => {
  const query: Record<string, unknown> = {};
  const wrong: InvalidPlace[] = [];
  const members: { parameter: string; member: string; value: string }[] = [];
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    const place = placeOf(name, shape);
    const pointer = `query/${name}`;
    const [first = "", ...more] = values ?? [];
    if (!place) wrong.push({ pointer, detail: unknownParameter(name, shape) });
    else if (more.length > 0) wrong.push({ pointer, detail: "is given more than once" });
    else if (place.member === undefined) query[place.parameter] = first;
    else members.push({ parameter: place.parameter, member: place.member, value: first });
  }
  for (const [parameter, given] of Map.groupBy(members, (each) => each.parameter)) {
    query[parameter] = Object.fromEntries(given.map(({ member, value }) => [member, value]));
  }
  return { query, wrong };
};

const anyName = /\{[^}]+\}$/;

const placeOf = (
  name: string,
  shape: Shape,
): { parameter: string; member?: string } | undefined => {
  for (const parameter of Object.keys(shape)) {
    const beginning = parameter.replace(anyName, "");
    if (beginning === parameter && parameter === name) return { parameter };
    if (beginning !== parameter && name.startsWith(beginning) && name !== beginning) {
      return { parameter, member: name.slice(beginning.length) };
    }
  }
  return undefined;
};

const unknownParameter = (name: string, shape: Shape): string =>
  didYouMean("is not a parameter of this operation", name, Object.keys(shape));

const jsonBody = (event: APIGatewayProxyEvent, headers: Headers): unknown => {
  const bytes = bodyOf(event);
  if (bytes.byteLength === 0) throw malformedJson("The body is empty; this endpoint needs JSON.");
  if (!json.test(headers.get("content-type")?.[0] ?? "")) throw unsupportedMediaType();
  const text = decode(bytes);
  if (nestsTooDeeply(text)) {
    throw malformedJson(`The body nests deeper than ${deepestNesting} levels.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (surrogate.test(text)) requireWellFormed(value);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw malformedJson("The body is not JSON.");
  }
};

const surrogate = /\\u[dD]/;

/** Half a character cannot be stored as UTF-8. Throws 400. */
const requireWellFormed = (value: unknown): void => {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw malformedJson(
      "A string of the body holds half of a surrogate pair, such as \\ud83d alone.",
    );
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    requireWellFormed(name);
    requireWellFormed(member);
  }
};

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformedJson("The body is not UTF-8.");
  }
};

const nestsTooDeeply = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\" && inString) at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === "{" || character === "[")) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (!inString && (character === "}" || character === "]")) depth -= 1;
  }
  return false;
};
