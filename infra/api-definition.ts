import type { HttpFunctionRecord } from "./functions.ts";
import { gatewayResponses } from "./gateway-responses.ts";
import { integration, type LambdaArn } from "./integration.ts";

type Operation = Record<string, unknown>;
type PathItem = Record<string, Operation>;

/** What the definition is made from. */
export type ApiDefinitionInput = {
  name: string;
  functions: readonly HttpFunctionRecord[];
  /** Name of the function that answers what is no route: 404, as every function does for a foreign resource. */
  fallback: string;
  /** The function's ARN by its name; may be a token. */
  arnOf: (name: string) => LambdaArn;
  /** What the gateway's own answers say the limit is. */
  rateLimit: number;
};

const anyMethod = "x-amazon-apigateway-any-method";

/**
 * The REST API as an OpenAPI document with API Gateway's extensions: one method for each function; on
 * each resource an any-method, answered by the resource's first function, which says 405; and below and
 * at the root a catch-all that says 404.
 */
export const apiDefinition = ({
  name,
  functions,
  fallback,
  arnOf,
  rateLimit,
}: ApiDefinitionInput) => {
  const paths: Record<string, PathItem> = {};
  const add = (resource: string, method: string, target: HttpFunctionRecord): void => {
    const item = paths[resource] ?? {};
    paths[resource] = item;
    item[method] ??= operation(resource, integration(arnOf(target.name), target));
  };
  for (const target of functions) {
    if (target.resource.startsWith("/{")) {
      throw new Error(`The path of ${target.name} begins with a variable, beside the catch-all.`);
    }
    add(target.resource, target.method.toLowerCase(), target);
    add(target.resource, anyMethod, target);
  }
  const last = functions.find((each) => each.name === fallback);
  if (!last) throw new Error(`No function is called "${fallback}", so nothing would answer 404.`);
  add("/", anyMethod, last);
  add("/{proxy+}", anyMethod, last);
  return {
    openapi: "3.0.1",
    info: { title: name, version: "1" },
    "x-amazon-apigateway-binary-media-types": ["*/*"],
    "x-amazon-apigateway-gateway-responses": gatewayResponses(rateLimit),
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
    responses: { "200": { description: "As the function answers." } },
    "x-amazon-apigateway-integration": target,
  };
};
