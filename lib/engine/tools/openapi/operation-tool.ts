import type { ParameterDescriptor } from "../../../json/parameters.ts";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { sendCall } from "../send-call.ts";
import { type Tool, ToolError } from "../tool.ts";
import { buildRequest } from "./build-request.ts";
import { credentialsOf } from "./credentials.ts";
import { describeParameter } from "./describe-parameter.ts";
import type { Api, Operation } from "./operations.ts";
import { readResponse } from "./read-response.ts";
import { serverOf } from "./server.ts";
import type { Settings } from "./settings.ts";

/** What the tools of a config share. */
export type ToolSurroundings = {
  readonly api: Api;
  readonly settings: Settings;
  readonly auth: Readonly<Record<string, string>>;
  readonly outgoing: OutgoingOptions;
};

/** An operation as a tool. Its parameters are described when somebody first asks for them. */
export function toTool(operation: Operation, surroundings: ToolSurroundings): Tool {
  const { api, settings, auth, outgoing } = surroundings;
  const credentials = credentialsOf(operation.plan, api, auth);
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
        described ??= parameters.map((each) => describeParameter(each, api.resolver));
        return described;
      },
    },
    async run(given, { signal }) {
      const server = serverOf(operation.plan, settings);
      if (credentials.length > 0 && !server.isNamed) throw unnamedServer(server.base);
      const { resolver } = api;
      const parts = { operation, parameters, server, credentials, resolver };
      const call = buildRequest(parts, given);
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
