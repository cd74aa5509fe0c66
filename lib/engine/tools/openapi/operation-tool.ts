import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { WorkMeter } from "../../../platform/sandbox/work-meter.ts";
import type { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { sendCall } from "../send-call.ts";
import { type Tool, ToolError } from "../tool.ts";
import { buildRequest } from "./build-request.ts";
import { selectCredentials, selectToken } from "./credentials.ts";
import { describeParameter } from "./describe-parameter.ts";
import { documentSteps, withinLimits } from "./limits.ts";
import type { Api, Operation } from "./operations.ts";
import { readToolResponse } from "./read-tool-response.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { selectServer } from "./server.ts";
import type { Settings } from "./settings.ts";

/** State shared by the tools of a config. */
export type ToolSurroundings = {
  readonly api: Api;
  readonly settings: Settings;
  readonly auth: Readonly<Record<string, string>>;
  /** Whether each call has an access token. */
  readonly hasAccessToken: boolean;
  readonly outgoing: OutgoingOptions;
  /** Resolver for creating tools. */
  readonly resolver: Resolver;
  /** Resolver for describing parameters. */
  readonly describing: Resolver;
};

/** Creates the tool of an operation. Its parameters are described on first use. */
export const toTool = (operation: Operation, surroundings: ToolSurroundings): Tool => {
  const { api, settings, auth, hasAccessToken, outgoing, describing } = surroundings;
  const { root } = api;
  const { resolver: making } = surroundings;
  const credentials = hasAccessToken
    ? selectToken(operation.plan, { value: "" })
    : selectCredentials(operation.plan, { root, resolver: making }, auth);
  const parameters = operation.plan.parameters.filter(
    ({ place, wireName = "" }) =>
      !credentials.some(
        (one) => one.place === place && one.name.toLowerCase() === wireName.toLowerCase(),
      ),
  );
  let described: readonly ParameterDescriptor[] | undefined;
  const { id, displayName, description, method } = operation;
  return {
    descriptor: {
      id,
      displayName,
      description,
      actionType: method === "GET" || method === "HEAD" ? "ReadOnly" : "ReadWrite",
      resultType: "Json",
      get parametersMetadata() {
        described ??= parameters.map((parameter) => describeParameter(parameter, describing));
        return described;
      },
    },
    async run(given, { signal, processor, traceContext, accessToken, saveFile }) {
      const server = selectServer(operation.plan, settings);
      if (credentials.length > 0 && !server.isNamed) throw unnamedServer(server.base);
      const resolver = createResolver(root, new WorkMeter(processor, documentSteps.call));
      const sent =
        accessToken === undefined ? credentials : selectToken(operation.plan, accessToken);
      const parts = { operation, parameters, server, credentials: sent, resolver };
      const call = withinLimits(() => buildRequest(parts, given));
      const headers = {
        ...call.headers,
        ...(settings.sendTraceContext && traceContext),
      };
      // An operation that needs no security has no token, and so no proof.
      const prover = sent.length > 0 ? accessToken?.prover : undefined;
      const response = await sendCall({ ...call, headers, signal }, outgoing, prover);
      return readToolResponse(response, { url: call.url, toolId: id, saveFile });
    },
  };
};

/** The document's author must not choose where the config's credentials are sent. */
const unnamedServer = (base: string): ToolError =>
  new ToolError(
    `Credentials are sent only to the config's own address: set its "baseUrl", such as ${base.slice(0, 300)}.`,
  );
