import { isBelow } from "../../../platform/outgoing/destination.ts";
import type { OutgoingRequest } from "../../../platform/outgoing/request.ts";
import { type Json, setMember } from "../../../values/json/json.ts";
import { ToolError, type ToolParameters } from "../tool.ts";
import type { Credential } from "./credentials.ts";
import type { Operation } from "./operations.ts";
import { isFormType, isJsonType } from "./plan-body.ts";
import type { ParameterLocation, PlannedParameter } from "./planned-parameter.ts";
import { readParameterText } from "./read-parameter-text.ts";
import type { Resolver } from "./resolver.ts";
import { encode, toPairs, toSimple } from "./serialize.ts";
import type { Server } from "./server.ts";

/** Parts of a request. */
export type RequestParts = {
  readonly operation: Operation;
  readonly parameters: readonly PlannedParameter[];
  readonly server: Server;
  readonly credentials: readonly Credential[];
  readonly resolver: Resolver;
};

type Given = { readonly parameter: PlannedParameter; readonly value: Json };

/** Builds the request of an operation. Throws a ToolError that names an invalid parameter. */
export const buildRequest = (
  { operation, parameters, server, credentials, resolver }: RequestParts,
  given: ToolParameters,
): Required<Pick<OutgoingRequest, "url" | "method" | "headers">> &
  Pick<OutgoingRequest, "body"> => {
  const values = readAll(parameters, given, resolver);
  const at = (place: ParameterLocation) =>
    values.filter(({ parameter }) => parameter.place === place);
  const credentialsIn = (place: ParameterLocation) =>
    credentials.filter((credential) => credential.place === place);
  const query = [
    ...at("query").flatMap(({ parameter, value }) =>
      toPairs(getWireName(parameter), value, parameter),
    ),
    ...credentialsIn("query").map(({ name, value }) => `${encode(name)}=${encode(value)}`),
  ];
  const cookies = [
    ...at("cookie").flatMap(({ parameter, value }) =>
      toPairs(getWireName(parameter), value, parameter),
    ),
    ...credentialsIn("cookie").map(({ name, value }) => `${name}=${encode(value)}`),
  ];
  const body = buildBody(operation, at("body"));
  const plain = (text: string) => text;
  const headers: [string, string][] = [
    ["accept", "application/json, text/*;q=0.9, */*;q=0.5"],
    ...at("header").map(({ parameter, value }): [string, string] => [
      getWireName(parameter).toLowerCase(),
      toSimple(value, parameter, plain),
    ]),
    ...(body ? [["content-type", body.type] satisfies [string, string]] : []),
    ...(cookies.length > 0 ? [["cookie", cookies.join("; ")] satisfies [string, string]] : []),
    ...credentialsIn("header").map(({ name, value }): [string, string] => [
      name.toLowerCase(),
      value,
    ]),
  ];
  const path = buildPath(operation, at("path"));
  return {
    method: operation.method,
    url: urlBelow(server.base, withQuery(`${server.base}${path}`, query)),
    headers: Object.fromEntries(headers),
    ...(body ? { body: body.text } : {}),
  };
};

/** Returns the URL of a request. Refuses one outside the base URL, for which the credentials are meant. */
const urlBelow = (base: string, text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isBelow(url, new URL(base))) return url.href;
  throw new ToolError(`The path must not leave ${base.slice(0, 300)}.`);
};

const getWireName = ({ wireName, name }: PlannedParameter): string => wireName ?? name;

const readAll = (
  parameters: readonly PlannedParameter[],
  given: ToolParameters,
  resolver: Resolver,
): Given[] =>
  parameters.flatMap((parameter) => {
    const { name, required, schema } = parameter;
    const text = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = text === undefined ? undefined : readParameterText(name, text, schema, resolver);
    if (value !== undefined) return [{ parameter, value }];
    if (required) throw new ToolError(`"${name}" is required.`);
    return [];
  });

/** Returns the path with its variables replaced; no value can add segments. */
const buildPath = ({ plan }: Operation, values: readonly Given[]): string => {
  let path = plan.path.split("#")[0] ?? "";
  for (const { parameter, value } of values) {
    const text = toSimple(value, parameter);
    if (text === "") throw new ToolError(`"${parameter.name}" must not be empty.`);
    path = path.replaceAll(`{${parameter.wireName}}`, () => text);
  }
  const segments = path.split("?")[0]?.split("/") ?? [];
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new ToolError("A part of the path must not be . or .. alone.");
  }
  return path;
};

const withQuery = (url: string, query: readonly string[]): string =>
  query.length === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${query.join("&")}`;

const buildBody = (
  { plan }: Operation,
  values: readonly Given[],
): { readonly type: string; readonly text: string } | undefined => {
  if (!plan.body) return undefined;
  const { mediaType: type, required } = plan.body;
  const whole = values.find(({ parameter }) => parameter.wireName === undefined);
  if (!whole && values.length === 0 && !required) return undefined;
  const members: Record<string, Json> = {};
  for (const { parameter, value } of values) setMember(members, getWireName(parameter), value);
  const value = whole ? whole.value : members;
  if (isJsonType(type)) return { type, text: JSON.stringify(value) };
  if (!isFormType(type)) return { type, text: whole ? String(whole.value) : "" };
  return { type, text: encodeForm(whole, values).join("&") };
};

/** Returns whether a form's property is sent as JSON: neither text nor list, and without another encoding. */
const encodeForm = (whole: Given | undefined, values: readonly Given[]): readonly string[] => {
  const asForm = { style: "form", explode: true, isJson: false };
  const pairs = (name: string, value: Json, style: typeof asForm) =>
    toPairs(name, value, {
      ...style,
      isJson:
        style.isJson ||
        (style.style === "form" &&
          typeof value === "object" &&
          value !== null &&
          !Array.isArray(value)),
    });
  if (!whole) {
    return values.flatMap(({ parameter, value }) =>
      pairs(getWireName(parameter), value, parameter),
    );
  }
  const { value } = whole;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => pairs(name, member, asForm));
};
