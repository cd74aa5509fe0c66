import type { Json, JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import { maxParameters } from "./limits.ts";
import { createNames } from "./names.ts";
import { type BodyPlan, planBody } from "./plan-body.ts";
import type { PlannedParameter, WireParameter } from "./planned-parameter.ts";
import { flagIn, getOwnMember, listIn, objectIn, textIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";

/** The plan of an operation's requests. */
export type OperationPlan = {
  readonly path: string;
  readonly parameters: readonly PlannedParameter[];
  readonly body: Pick<BodyPlan, "mediaType" | "required"> | undefined;
  /** Lists of servers, by precedence. */
  readonly servers: readonly Json[];
  /** Undefined when neither the operation nor the document defines any. */
  readonly security: readonly Json[] | undefined;
};

/** An operation, and the part of the document that it is in. */
export type FoundOperation = {
  readonly root: JsonObject;
  readonly method: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly node: JsonObject;
};

/** Pattern of parameter names that every model accepts. */
const maxNameLength = 64;
const defaultStyles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;
const knownStyles: { readonly [place: string]: readonly string[] } = {
  path: ["simple"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};
/** Header parameters that OpenAPI ignores. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** Plans the requests of an operation. Throws a ToolError when it cannot become a tool. */
export const planOperation = (
  { root, method, path, item, node }: FoundOperation,
  resolver: Resolver,
): OperationPlan => {
  const raws = [listIn(item, "parameters"), listIn(node, "parameters")];
  if (raws.some(({ length }) => length > maxParameters)) {
    throw new ToolError(`The operation has more than ${maxParameters} parameters.`);
  }
  const declared = raws.flat().map((raw) => resolver.resolve(raw));
  const found = new Map<string, WireParameter>();
  for (const raw of declared) {
    const parameter = raw && readParameter(raw);
    if (parameter) found.set(`${parameter.place} ${parameter.wireName}`, parameter);
  }
  for (const wireName of listPathVariables(path)) {
    const key = `path ${wireName}`;
    if (!found.has(key)) found.set(key, pathVariable(wireName));
  }
  resolver.charge(path.length + found.size);
  const mayHaveBody = method !== "get" && method !== "head";
  const body = mayHaveBody ? planBody(getOwnMember(node, "requestBody"), resolver) : undefined;
  const wires = [...found.values()].filter(
    ({ place, wireName }) => place !== "path" || path.includes(`{${wireName}}`),
  );
  const security = getOwnMember(node, "security") ?? getOwnMember(root, "security");
  return {
    path,
    parameters: named([...wires, ...(body?.parameters ?? [])]),
    body: body && { mediaType: body.mediaType, required: body.required },
    servers: [node, item, root].flatMap((owner) => listIn(owner, "servers").slice(0, 1)),
    security: Array.isArray(security) ? security : undefined,
  };
};

const named = (parameters: readonly WireParameter[]): PlannedParameter[] => {
  const freeName = createNames(maxNameLength);
  const seen = new Set<string | undefined>();
  return parameters.map((parameter) => {
    const { wireName = "body", place } = parameter;
    const isFirst = !seen.has(parameter.wireName);
    seen.add(parameter.wireName);
    return { ...parameter, name: freeName(isFirst ? wireName : `${wireName}_${place}`) };
  });
};

/** Returns the names between braces in a path. */
const listPathVariables = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);

const pathVariable = (wireName: string): WireParameter => ({
  place: "path",
  wireName,
  required: true,
  description: undefined,
  schema: undefined,
  style: "simple",
  explode: false,
  isJson: false,
});

const readParameter = (raw: JsonObject): WireParameter | undefined => {
  const wireName = textIn(raw, "name");
  const place = textIn(raw, "in");
  if (wireName === undefined) return undefined;
  if (place !== "path" && place !== "query" && place !== "header" && place !== "cookie") {
    return undefined;
  }
  if (place === "header" && ignoredHeaders.has(wireName.toLowerCase())) return undefined;
  const required = place === "path" || flagIn(raw, "required");
  const content = objectIn(raw, "content");
  const [media] = content ? Object.entries(content) : [];
  const style = textIn(raw, "style") ?? defaultStyles[place];
  if (!knownStyles[place]?.includes(style)) {
    if (!required) return undefined;
    throw new ToolError(`Parameters of the style "${style}" are not supported.`);
  }
  const explode = getOwnMember(raw, "explode");
  return {
    place,
    wireName,
    required,
    description: textIn(raw, "description"),
    schema: media ? getOwnMember(media[1], "schema") : getOwnMember(raw, "schema"),
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    isJson: media !== undefined && /json/i.test(media[0]),
  };
};
