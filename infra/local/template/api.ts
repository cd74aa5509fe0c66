import * as z from "zod";
import { functionNameOf } from "./functions.ts";
import { isJsonObject, type Json } from "./json.ts";
import { findResources, type Source } from "./model.ts";
import { parse } from "./storage.ts";
import { TemplateError } from "./template-error.ts";

const Response = z.object({
  statusCode: z.coerce.number().optional(),
  responseParameters: z.record(z.string(), z.string()).default({}),
  responseTemplates: z.record(z.string(), z.string()).default({}),
});

const Integration = z.object({
  uri: z.string(),
  type: z.string().transform((type) => type.toUpperCase()),
  timeoutInMillis: z.coerce.number().default(29_000),
  responseTransferMode: z.enum(["BUFFERED", "STREAM"]).default("BUFFERED"),
});

const Body = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.custom<Json>())),
  "x-amazon-apigateway-gateway-responses": z.record(z.string(), Response).default({}),
});

/** An error answer of the gateway itself, as the template words it. */
export type GatewayResponse = z.output<typeof Response>;

/** A method of a resource: which function answers it, and whether it streams its answer. */
export type LocalMethod = {
  functionName: string;
  timeoutMilliseconds: number;
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

/** Reads the one REST API of the template, which must be defined by an OpenAPI body. */
export const readApi = (source: Source): LocalApi => {
  const [found, ...others] = findResources(source, "AWS::ApiGateway::RestApi");
  if (!found || others.length > 0) {
    throw new TemplateError(
      `the templates hold ${others.length + (found ? 1 : 0)} REST APIs, not one`,
    );
  }
  const { stack, resource, place } = found;
  const resolved = source.resolver.resolve(
    stack,
    resource.Properties.Body ?? null,
    `${place}.Body`,
  );
  const body = parse(Body, resolved, stack.name, `${place}.Body`);
  const resources: LocalApi["resources"] = {};
  for (const [path, operations] of Object.entries(body.paths)) {
    const own: Record<string, LocalMethod> = {};
    for (const [method, operation] of Object.entries(operations)) {
      if (!methods.includes(method) && method !== anyMethod) continue;
      const at = `${place}.Body.paths.${path}.${method}`;
      own[method === anyMethod ? "ANY" : method.toUpperCase()] = readMethod(
        operation,
        stack.name,
        at,
      );
    }
    resources[path] = own;
  }
  return {
    stage: stageOf(source),
    resources,
    responses: { ...body["x-amazon-apigateway-gateway-responses"], ...declaredResponses(source) },
  };
};

const readMethod = (operation: Json, stackName: string, place: string): LocalMethod => {
  const integration = parse(
    Integration,
    isJsonObject(operation) ? operation["x-amazon-apigateway-integration"] : undefined,
    stackName,
    place,
  );
  const [, arn, streaming] =
    /\/functions\/(arn:aws:lambda:[^/]+)\/(response-streaming-)?invocations$/.exec(
      integration.uri,
    ) ?? [];
  if (integration.type !== "AWS_PROXY" || arn === undefined) {
    throw new TemplateError(
      `template ${stackName}, ${place}: only Lambda proxy integrations run here`,
    );
  }
  const streams = integration.responseTransferMode === "STREAM";
  if (streams !== (streaming !== undefined)) {
    throw new TemplateError(
      `template ${stackName}, ${place}: responseTransferMode and uri do not fit together`,
    );
  }
  const { timeoutInMillis: timeoutMilliseconds } = integration;
  return { functionName: functionNameOf(arn), timeoutMilliseconds, streams };
};

const stageOf = (source: Source): string => {
  const [found] = findResources(source, "AWS::ApiGateway::Stage");
  return found ? source.resolver.identity(found.stack, found.logicalId, found.place).ref : "local";
};

const DeclaredResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  ResponseTemplates: z.record(z.string(), z.string()).default({}),
});

const declaredResponses = (source: Source): Record<string, GatewayResponse> =>
  Object.fromEntries(
    findResources(source, "AWS::ApiGateway::GatewayResponse").map(({ stack, resource, place }) => {
      const resolved = source.resolver.resolve(stack, resource.Properties, place);
      const declared = parse(DeclaredResponse, resolved, stack.name, place);
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
