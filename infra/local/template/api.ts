import * as z from "zod";
import { type Authorizer, createAuthorizer } from "./authorizer.ts";
import { parseFunctionName } from "./functions.ts";
import { isJsonObject, type Json } from "./json.ts";
import { readPolicies, rolesTrusting } from "./policies.ts";
import { findResources, type Source, type SourceResource } from "./source.ts";
import { TemplateError } from "./template-error.ts";

const Response = z.object({
  statusCode: z.coerce.number().optional(),
  responseParameters: z.record(z.string(), z.string()).default({}),
  responseTemplates: z.record(z.string(), z.string()).default({}),
});

const Integration = z.object({
  uri: z.string(),
  credentials: z.string().optional(),
  type: z.string().transform((type) => type.toUpperCase()),
  timeoutInMillis: z.coerce.number().default(29_000),
  responseTransferMode: z.enum(["BUFFERED", "STREAM"]).default("BUFFERED"),
});

const Body = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.custom<Json>())),
  "x-amazon-apigateway-gateway-responses": z.record(z.string(), Response).default({}),
});

/** A gateway response: an error that the gateway itself sends. */
export type GatewayResponse = z.output<typeof Response>;

/** A method of a resource and its Lambda integration. */
export type LocalMethod = {
  functionName: string;
  timeoutMilliseconds: number;
  /** Whether the gateway's role may invoke the function. */
  isAllowed: boolean;
  /** Whether the response is streamed. */
  streams: boolean;
};

/** The REST API of the template. */
export type LocalApi = {
  stage: string;
  /** By resource path, then by method in capitals; `ANY` for the any-method. */
  resources: Record<string, Record<string, LocalMethod>>;
  /** By gateway response type, such as `DEFAULT_4XX`. */
  responses: Record<string, GatewayResponse>;
};

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
const anyMethod = "x-amazon-apigateway-any-method";

/** Reads the REST API. Throws a TemplateError unless there is exactly one, defined by an OpenAPI body. */
export const readApi = (source: Source): LocalApi => {
  const [api, ...others] = findResources(source, "AWS::ApiGateway::RestApi");
  if (!api || others.length > 0) {
    const count = others.length + (api ? 1 : 0);
    throw new TemplateError(`the templates must define exactly one REST API, found ${count}`);
  }
  const body = api.parse(Body, api.property("Body"), "Body");
  const mayInvoke = gatewayAuthorizer(source);
  const resources: LocalApi["resources"] = {};
  for (const [path, operations] of Object.entries(body.paths)) {
    const own: Record<string, LocalMethod> = {};
    for (const [method, operation] of Object.entries(operations)) {
      if (!methods.includes(method) && method !== anyMethod) continue;
      const name = method === anyMethod ? "ANY" : method.toUpperCase();
      own[name] = readMethod(api, operation, `Body.paths.${path}.${method}`, mayInvoke);
    }
    resources[path] = own;
  }
  const [stage] = findResources(source, "AWS::ApiGateway::Stage");
  return {
    stage: stage?.ref ?? "local",
    resources,
    responses: { ...body["x-amazon-apigateway-gateway-responses"], ...declaredResponses(source) },
  };
};

/** Authorizes the roles that API Gateway may assume, by their ARN. */
const gatewayAuthorizer = (source: Source): Authorizer => {
  const policies = readPolicies(source);
  const roles = rolesTrusting(source, "apigateway.amazonaws.com");
  return createAuthorizer(new Map(roles.map(({ arn }) => [arn, policies.get(arn) ?? []])));
};

const readMethod = (
  api: SourceResource,
  operation: Json,
  path: string,
  mayInvoke: Authorizer,
): LocalMethod => {
  const declared = isJsonObject(operation)
    ? operation["x-amazon-apigateway-integration"]
    : undefined;
  const integration = api.parse(Integration, declared, path);
  const [, arn, streaming] =
    /\/functions\/(arn:aws:lambda:[^/]+)\/(response-streaming-)?invocations$/.exec(
      integration.uri,
    ) ?? [];
  if (integration.type !== "AWS_PROXY" || arn === undefined) {
    throw api.fault(path, "the local stack supports only Lambda proxy integrations");
  }
  const streams = integration.responseTransferMode === "STREAM";
  if (streams !== (streaming !== undefined)) {
    throw api.fault(path, "responseTransferMode does not match uri");
  }
  const { timeoutInMillis: timeoutMilliseconds, credentials = "" } = integration;
  const isAllowed = mayInvoke(credentials, { action: "lambda:InvokeFunction", resource: arn });
  return { functionName: parseFunctionName(arn), timeoutMilliseconds, isAllowed, streams };
};

const DeclaredResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  ResponseTemplates: z.record(z.string(), z.string()).default({}),
});

const declaredResponses = (source: Source): Record<string, GatewayResponse> =>
  Object.fromEntries(
    findResources(source, "AWS::ApiGateway::GatewayResponse").map((resource) => {
      const declared = resource.read(DeclaredResponse);
      return [
        declared.ResponseType,
        {
          statusCode: declared.StatusCode,
          responseParameters: declared.ResponseParameters,
          responseTemplates: declared.ResponseTemplates,
        },
      ];
    }),
  );
