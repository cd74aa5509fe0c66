import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { didYouMean } from "../platform/http/nearest-name.ts";
import {
  type InvalidPlace,
  malformedJson,
  Problem,
  unsupportedMediaType,
  validationFailed,
} from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { bodyOf, bodySize, type Headers } from "../platform/http/request.ts";
import type { Shape } from "../platform/http/row.ts";
import { pointerOf, zodErrorMap } from "../platform/http/zod-error-map.ts";
import { membersOf } from "./body-members.ts";
import type { Link, Routed } from "./context.ts";
import type { InputOf, Row } from "./route.ts";

const deepestNesting = 100;
const mostErrors = 50;
const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json *(?:;.*)?$/i;

/** Set by `parseRequest`. */
export type Parsed<R extends Row> = Routed & { input: InputOf<R> };

/** Parses path, query and body with the row's schemas. Throws 400 with every validation error, and 415. */
export function parseRequest<R extends Row>(row: R): Link<Parsed<R>>;
export function parseRequest(row: Row): Link<Parsed<Row>> {
  // Created once: zod compiles a schema when it is first used.
  const Params = z.object(row.params ?? {});
  const Query = z.object(row.query ?? {});
  const Body = row.body ?? z.undefined();
  return {
    before: ({ event, context }) => {
      const { query: given, wrong } = queryOf(event, row.query ?? {});
      const params = Params.safeParse(context.pathValues, { error: zodErrorMap });
      const query = Query.safeParse(given, { error: zodErrorMap });
      const sent = readBody(row.body, event, context.headers);
      const body = Body.safeParse(sent, { error: zodErrorMap });
      const members = membersOf(row, sent);
      wrong.push(...members.wrong);
      if (params.success && query.success && body.success && wrong.length === 0) {
        const { ignored } = members;
        context.input = { params: params.data, query: query.data, body: body.data, ignored };
        return;
      }
      const errors = [
        ...placesOf(params, (path) => `path/${String(path[0])}`),
        ...placesOf(query, (path) => `query/${String(path[0])}`),
        ...wrong,
        ...placesOf(body, pointerOf),
      ];
      throw validationFailed(errors.slice(0, mostErrors));
    },
  };
}

/** Returns the value of the body; undefined for an empty one where the row allows it. */
const readBody = (
  schema: z.ZodType | undefined,
  event: APIGatewayProxyEvent,
  headers: Headers,
): unknown => {
  if (!schema) return undefined;
  if (schema === RawBody) return bodyOf(event);
  const mayBeEmpty = bodySize(event) === 0 && schema.safeParse(undefined).success;
  return mayBeEmpty ? undefined : jsonBody(event, headers);
};

const placesOf = (
  result: z.ZodSafeParseResult<unknown>,
  pointer: (path: readonly PropertyKey[]) => string,
): InvalidPlace[] =>
  (result.error?.issues ?? []).map((issue) => ({
    pointer: pointer(issue.path),
    detail: issue.message,
  }));

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

const placeOf = (
  name: string,
  shape: Shape,
): { parameter: string; member?: string } | undefined => {
  for (const parameter of Object.keys(shape)) {
    const beginning = parameter.split("{", 1)[0] ?? "";
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
