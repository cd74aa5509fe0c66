import type { HttpFunctionRecord } from "../functions/function-records.ts";
import { gatewayResponses } from "./gateway-responses.ts";
import { integration, type LambdaArn } from "./integration.ts";

type Operation = Record<string, unknown>;
type PathItem = Record<string, Operation>;

/** Input of the API definition. */
export type ApiDefinitionInput = {
  name: string;
  functions: readonly HttpFunctionRecord[];
  /** Name of the function that responds 404 to unknown routes. */
  fallback: string;
  /** Returns a function's ARN, possibly as a token. */
  getFunctionArn: (name: string) => LambdaArn;
  /** ARN of the role in which the gateway invokes functions. */
  credentials: string;
  /** Rate limit in the headers of gateway responses. */
  rateLimit: number;
  /** Path of the API's public base URL, such as `/live`; empty at the root of a host. */
  basePath: string;
  /** Reference to the secret without which the gateway refuses calls; undefined for an API that all may call. */
  distributionSecret?: string | undefined;
};

const anyMethod = "x-amazon-apigateway-any-method";

/**
 * Builds the REST API as an OpenAPI document with API Gateway's extensions: a method per function,
 * an any-method per resource that responds with 405 through the resource's first function, and a
 * catch-all that responds with 404.
 */
export const apiDefinition = ({
  name,
  functions,
  fallback,
  getFunctionArn,
  credentials,
  rateLimit,
  basePath,
  distributionSecret,
}: ApiDefinitionInput) => {
  const paths: Record<string, PathItem> = {};
  const add = (resource: string, method: string, target: HttpFunctionRecord): void => {
    const item = paths[resource] ?? {};
    paths[resource] = item;
    item[method] ??= operation(
      resource,
      integration(getFunctionArn(target.name), { ...target, credentials }),
    );
  };
  for (const target of functions) {
    if (target.resource.startsWith("/{")) {
      throw new Error(
        `The path of ${target.name} begins with a variable, which conflicts with the catch-all.`,
      );
    }
    add(target.resource, target.method.toLowerCase(), target);
    add(target.resource, anyMethod, target);
  }
  const last = functions.find((candidate) => candidate.name === fallback);
  if (!last) throw new Error(`The fallback function "${fallback}" does not exist.`);
  add("/", anyMethod, last);
  add("/{proxy+}", anyMethod, last);
  return {
    openapi: "3.0.1",
    info: { title: name, version: "1" },
    "x-amazon-apigateway-binary-media-types": ["*/*"],
    "x-amazon-apigateway-gateway-responses": gatewayResponses(rateLimit, basePath),
    ...(distributionSecret !== undefined && {
      "x-amazon-apigateway-policy": distributionPolicy(distributionSecret),
    }),
    paths,
  };
};

const operation = (resource: string, target: ReturnType<typeof integration>): Operation => {
  const variables = [...resource.matchAll(/\{([^{}+]+)\+?\}/g)].map(([, variable]) => variable);
  return {
    ...(variables.length > 0 && {
      parameters: variables.map((variable) => ({
        name: variable,
        in: "path",
        required: true,
        schema: { type: "string" },
      })),
    }),
    responses: { "200": { description: "The response of the function." } },
    "x-amazon-apigateway-integration": target,
  };
};

/**
 * Closes the API's own address: only the distribution adds the secret. `aws:Referer` is the one header of the caller's
 * choice that conditions of a resource policy can read (API Gateway Developer Guide, "AWS condition keys").
 */
const distributionPolicy = (secret: string) => {
  const statement = {
    Principal: "*",
    Action: "execute-api:Invoke",
    Resource: "execute-api:/*",
  };
  return {
    Version: "2012-10-17",
    Statement: [
      { ...statement, Effect: "Allow" },
      { ...statement, Effect: "Deny", Condition: { StringNotEquals: { "aws:Referer": secret } } },
    ],
  };
};
