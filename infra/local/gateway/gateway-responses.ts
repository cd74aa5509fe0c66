import { problemRegistry } from "../../../lib/platform/http/problems.ts";
import type { GatewayResponse } from "../template/api.ts";
import type { Answer } from "./answer.ts";
import { largestBody } from "./read-body.ts";

/** The errors that the local gateway makes itself, with the status that each has by default. */
const kinds = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: "Missing Authentication Token" },
  REQUEST_TOO_LARGE: { status: 413, message: "Request Too Long" },
  URI_TOO_LONG: { status: 414, message: "URI Too Long" },
  BAD_GATEWAY: { status: 502, message: "Internal server error" },
  INTEGRATION_TIMEOUT: { status: 504, message: "Endpoint request timed out" },
} as const;

/** Kind of error of the gateway's own; those that AWS has no type for take the default type of their class. */
export type GatewayErrorKind = keyof typeof kinds;

/** What a gateway response's template may speak of, by the name behind `$context.`. */
export type GatewayContext = Readonly<Record<string, string>>;

/** Makes the answer to an error of the gateway's own, as the template words it. */
export type GatewayErrors = (kind: GatewayErrorKind, context: GatewayContext) => Answer;

/**
 * AWS lets nobody word its 413 and takes no status for it either (API Gateway Developer Guide, "Important
 * notes"). Here it is the product's problem, so that a client meets one kind of error on this machine.
 */
const tooLarge = JSON.stringify({
  type: "/problems/payload-too-large",
  status: 413,
  title: problemRegistry["payload-too-large"].title,
  detail: "The gateway takes no body of this size.",
  instance: "$context.resourcePath",
  requestId: "$context.requestId",
  limit: largestBody,
});

/** The gateway's errors in the words of the template's gateway responses. */
export const createGatewayErrors =
  (responses: Readonly<Record<string, GatewayResponse>>): GatewayErrors =>
  (kind, context) => {
    const { status, message } = kinds[kind];
    const response = responses[kind] ?? responses[status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX"];
    const all: GatewayContext = {
      ...context,
      "error.message": message,
      "error.messageString": JSON.stringify(message),
      "error.responseType": kind,
      "error.validationErrorString": "",
    };
    const isTooLarge = kind === "REQUEST_TOO_LARGE";
    const template = isTooLarge
      ? tooLarge
      : (response?.responseTemplates["application/json"] ?? plainTemplate);
    const headers = ["x-amzn-RequestId", context.requestId ?? ""];
    let contentType = "application/json";
    for (const [name, value] of Object.entries(response?.responseParameters ?? {})) {
      const header = /^gatewayresponse\.header\.(.+)$/i.exec(name)?.[1];
      const said = headerValue(value, all);
      if (header === undefined || said === undefined) continue;
      if (header.toLowerCase() === "content-type") contentType = said;
      else headers.push(header, said);
    }
    return {
      status: isTooLarge ? status : (response?.statusCode ?? status),
      headers: ["Content-Type", contentType, ...headers],
      body: fill(template, all),
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
