import type { ParameterDescriptor } from "../../../json/parameters.ts";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { WorkMeter } from "../../../platform/sandbox/work-meter.ts";
import { sendCall } from "../send-call.ts";
import { type Tool, ToolError } from "../tool.ts";
import { buildRequest } from "./build-request.ts";
import { credentialsOf } from "./credentials.ts";
import { describeParameter } from "./describe-parameter.ts";
import { documentSteps, withinLimits } from "./limits.ts";
import type { Api, Operation } from "./operations.ts";
import { readResponse } from "./read-response.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { serverOf } from "./server.ts";
import type { Settings } from "./settings.ts";

/** What the tools of a config share. */
export type ToolSurroundings = {
  readonly api: Api;
  readonly settings: Settings;
  readonly auth: Readonly<Record<string, string>>;
  readonly outgoing: OutgoingOptions;
  /** Reads the document while tools are made. */
  readonly resolver: Resolver;
  /** Reads the document when parameters are described. */
  readonly describing: Resolver;
};

/** An operation as a tool. Its parameters are described when somebody first asks for them. */
export function toTool(operation: Operation, surroundings: ToolSurroundings): Tool {
  const { api, settings, auth, outgoing, describing } = surroundings;
  const { root } = api;
  const { resolver: making } = surroundings;
  const credentials = credentialsOf(operation.plan, { root, resolver: making }, auth);
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
        described ??= parameters.map((each) => describeParameter(each, describing));
        return described;
      },
    },
    async run(given, { signal, processor }) {
      const server = serverOf(operation.plan, settings);
      if (credentials.length > 0 && !server.isNamed) throw unnamedServer(server.base);
      const resolver = createResolver(root, new WorkMeter(processor, documentSteps.call));
      const parts = { operation, parameters, server, credentials, resolver };
      const call = withinLimits(() => buildRequest(parts, given));
      const response = await sendCall({ ...call, signal }, outgoing);
      return readResponse(response, new URL(call.url).host);
    },
  };
}

/** Whoever writes the document must not choose where the config's credentials go. */
const unnamedServer = (base: string): ToolError =>
  new ToolError(
    `Credentials are sent only where the config itself says: set its "baseUrl", such as ${base.slice(0, 300)}.`,
  );
