import { problemRegistry } from "../../../lib/platform/http/problem-registry.ts";
import { payloadTooLarge } from "../../../lib/platform/http/problems.ts";
import { problemType } from "../../../lib/platform/http/public-address.ts";
import type { GatewayResponse } from "../template/api.ts";
import type { TooLarge } from "./body-limits.ts";
import type { ProxyResponse } from "./proxy-response.ts";

/** The gateway's own errors with their default status and message. */
const kinds = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: "Missing Authentication Token" },
  REQUEST_TOO_LARGE: { status: 413, message: "Request Too Long" },
  URI_TOO_LONG: { status: 414, message: "URI Too Long" },
  API_CONFIGURATION_ERROR: { status: 500, message: "Internal server error" },
  INTEGRATION_FAILURE: { status: 504, message: "Network error communicating with endpoint" },
  BAD_GATEWAY: { status: 502, message: "Internal server error" },
  INTEGRATION_TIMEOUT: { status: 504, message: "Endpoint request timed out" },
} as const;

/** A gateway response type. Types without a response of their own use the default of their class. */
export type GatewayErrorKind = keyof typeof kinds;

/** The values of `$context.` variables in a gateway response. */
export type GatewayContext = Readonly<Record<string, string>>;

/** Builds the response to an error of the gateway. */
export type GatewayErrors = (
  kind: Exclude<GatewayErrorKind, "REQUEST_TOO_LARGE"> | TooLarge,
  context: GatewayContext,
) => ProxyResponse;

/**
 * AWS does not allow a custom 413 (API Gateway Developer Guide, "Important notes"). The local gateway responds as the
 * function would: with the product's limit, not its own.
 */
const tooLarge = ({ limit, instance }: TooLarge, requestId: string | undefined): string => {
  const { slug, message, members } = payloadTooLarge(limit);
  const { status, title } = problemRegistry[slug];
  return JSON.stringify({
    type: problemType(slug, ""),
    title,
    status,
    detail: message,
    instance,
    requestId,
    ...members,
  });
};

/** Creates the builder of error responses from the template's gateway responses. */
export const createGatewayErrors =
  (responses: Readonly<Record<string, GatewayResponse>>): GatewayErrors =>
  (error, context) => {
    const kind = typeof error === "string" ? error : "REQUEST_TOO_LARGE";
    const { status, message } = kinds[kind];
    const response = responses[kind] ?? responses[status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX"];
    const all: GatewayContext = {
      ...context,
      "error.message": message,
      "error.messageString": JSON.stringify(message),
      "error.responseType": kind,
      "error.validationErrorString": "",
    };
    const isTooLarge = typeof error !== "string";
    const headers = ["x-amzn-RequestId", context.requestId ?? ""];
    let contentType = "application/json";
    for (const [name, value] of Object.entries(response?.responseParameters ?? {})) {
      const header = /^gatewayresponse\.header\.(.+)$/i.exec(name)?.[1];
      const headerText = headerValue(value, all);
      if (header === undefined || headerText === undefined) continue;
      if (header.toLowerCase() === "content-type") contentType = headerText;
      else headers.push(header, headerText);
    }
    return {
      status: isTooLarge ? status : (response?.statusCode ?? status),
      headers: ["Content-Type", contentType, ...headers],
      body: isTooLarge
        ? tooLarge(error, context.requestId)
        : fill(response?.responseTemplates["application/json"] ?? plainTemplate, all),
    };
  };

const plainTemplate = '{"message":$context.error.messageString}';

const fill = (template: string, context: GatewayContext): string =>
  template.replaceAll(
    /\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g,
    (_, name: string) => context[name] ?? "",
  );

const headerValue = (value: string, context: GatewayContext): string | undefined => {
  if (value.startsWith("'") && value.endsWith("'")) return value.slice(1, -1);
  if (value.startsWith("context.")) return context[value.slice("context.".length)];
  return undefined;
};
