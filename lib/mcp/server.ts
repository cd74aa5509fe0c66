import type { Server, Tool } from "@modelcontextprotocol/server";
import { implementation } from "../engine/tools/mcp/implementation.ts";
import { ToolError } from "../engine/tools/tool.ts";
import { UpstreamError } from "../platform/outgoing/upstream-error.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { isUnavailable } from "../platform/runtime/aws-retry.ts";
import { log } from "../platform/runtime/log.ts";
import type { Json, JsonObject } from "../values/json/json.ts";
import { isJsonObject } from "../values/json/json.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { readsResourceLinks } from "./cite.ts";
import type { FoundOffers } from "./find-offers.ts";
import type { ReadLinkedFile } from "./linked-files.ts";
import { nameOffers } from "./name-offers.ts";
import type { Offer, OfferDescription } from "./offer.ts";
import { addTaskMethods, takesTasks, tasksExtension, toCreatedTask } from "./task-methods.ts";
import { toCallResult } from "./to-call-result.ts";

type Sdk = typeof import("@modelcontextprotocol/server");

/** Options of an MCP server. */
export type ServerOptions = {
  /** Name of the config, for people. */
  readonly displayName: string;
  /** Finds the offers, for a call by its name; rejects with a ToolError or an UpstreamError when they can't be determined. */
  readonly findOffers: (named?: string) => Promise<FoundOffers>;
  /** Tasks of the agents that the server offers. */
  readonly tasks: AgentTasks;
  readonly readFile: ReadLinkedFile;
  /** Aborted at the deadline of the response. */
  readonly signal: AbortSignal;
  /** Sends a notification before the response; undefined for a client that does not accept a stream. */
  readonly notify?: ((message: object) => void) | undefined;
  /** Receives an error of a service that is busy or out of reach, of which the client gets only an internal error. */
  readonly onUnavailable: (error: unknown) => void;
  /** Revision of the protocol that the client speaks, if it says so. */
  readonly version?: string | undefined;
};

const pageSize = 100;

/** Creates an MCP server for one request; supports tools, tasks of those that run agents, and the files that their results link. */
export const mcpServer = (
  sdk: Sdk,
  {
    displayName,
    findOffers,
    tasks,
    readFile,
    signal,
    notify,
    onUnavailable,
    version,
  }: ServerOptions,
): Server => {
  const capabilities = { tools: {}, resources: {}, extensions: { [tasksExtension]: {} } };
  const named = { ...implementation, name: displayName, title: displayName };
  const server = new (taskServer(sdk))(named, { capabilities });
  const hasLinks = readsResourceLinks(version);
  const guard = guarded(sdk, onUnavailable);
  const find = async (name?: string) => {
    const { offers, failure } = await findOffers(name);
    return { named: nameOffers(offers), failure };
  };
  server.setRequestHandler("tools/list", ({ params }) =>
    guard(async () => {
      const start = Number(params?.cursor ?? 0);
      if (!Number.isSafeInteger(start) || start < 0) {
        throw new sdk.ProtocolError(sdk.INVALID_PARAMS, "The cursor is none of this server's.");
      }
      const named = [...(await find()).named];
      const tools = await Promise.all(named.slice(start, start + pageSize).map(toTool));
      const next = start + pageSize;
      return {
        tools: tools.filter((tool) => tool !== undefined),
        ...(next < named.length && { nextCursor: String(next) }),
      };
    }),
  );
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    guard(async () => {
      const { named, failure } = await find(params.name);
      const offer = named.get(params.name);
      if (!offer && failure) throw failure;
      if (!offer) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `Unknown tool: ${params.name}`);
      const takes = takesTasks(mcpReq.envelope);
      const given = toJsonArguments(params.arguments);
      const progress = notify && reportProgress(notify, mcpReq._meta?.progressToken);
      const outcome = await offer
        .call(given, { signal, takesTasks: takes, onProgress: progress?.report })
        .finally(() => progress?.end());
      if ("ok" in outcome) return toCallResult(outcome, hasLinks);
      return outcome.outcome ? toCallResult(outcome.outcome, hasLinks) : toCreatedTask(outcome);
    }),
  );
  addResourceMethods(sdk, server, { readFile, guard });
  addTaskMethods(sdk, server, {
    tasks,
    guarded: guard,
    toResult: (outcome) => toCallResult(outcome, hasLinks),
  });
  return server;
};

/** Adds the methods of resources to a server. Files are no part of its lists: results link them. */
const addResourceMethods = (
  sdk: Sdk,
  server: Server,
  { readFile, guard }: { readFile: ReadLinkedFile; guard: Guard },
): void => {
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    guard(async () => {
      const found = await readFile(uri);
      if (!found) throw new sdk.ResourceNotFoundError(uri);
      if ("refusal" in found) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, found.refusal);
      return { contents: [{ uri, ...found }] };
    }),
  );
};

/**
 * Reports the progress of a call to a client that gave a token for it, until its end: a run may continue in the background.
 * `progress` counts the reports, since a flow does not know how many steps it takes.
 */
const reportProgress = (notify: (message: object) => void, progressToken: unknown) => {
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let isOpen = true;
  return {
    report: (message: string): void => {
      if (!isOpen) return;
      progress += 1;
      const params = { progressToken, progress, message };
      notify({ jsonrpc: "2.0", method: "notifications/progress", params });
    },
    end: (): void => {
      isOpen = false;
    },
  };
};

/** Returns the library's server. Its results of calls have a content; a task has none. */
const taskServer = (sdk: Sdk) =>
  class extends sdk.Server {
    protected override _wrapHandler(...given: Parameters<Server["_wrapHandler"]>) {
      const handle = super._wrapHandler(...given);
      return async (...call: Parameters<typeof handle>) => {
        const result = await handle(...call);
        if (result.resultType !== "task") return result;
        const { content: _none, ...task } = result;
        return task;
      };
    }
  };

type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns errors of the config's tools and agents to the client; logs internal ones. */
const guarded =
  (sdk: Sdk, onUnavailable: ServerOptions["onUnavailable"]): Guard =>
  async (work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof sdk.ProtocolError) throw error;
      if (error instanceof ToolError || error instanceof UpstreamError) {
        throw new sdk.ProtocolError(sdk.INTERNAL_ERROR, error.message);
      }
      if (isUnavailable(error)) onUnavailable(error);
      log("mcp-call-failed", { error: asError(error) });
      throw new sdk.ProtocolError(sdk.INTERNAL_ERROR, "Internal error");
    }
  };

const toTool = async ([name, offer]: [string, Offer]): Promise<Tool | undefined> => {
  const described = await offer.describe();
  return described && { name, ...ofDescription(described) };
};

const ofDescription = ({
  title,
  description,
  inputSchema,
  outputSchema,
  isReadOnly,
}: OfferDescription): Omit<Tool, "name"> => ({
  title,
  description,
  inputSchema: { ...inputSchema, type: "object" },
  ...(outputSchema && { outputSchema }),
  annotations: { readOnlyHint: isReadOnly },
});

const toJsonArguments = (given: Record<string, unknown> | undefined): JsonObject => {
  const value: Json = JSON.parse(JSON.stringify(given ?? {}));
  return isJsonObject(value) ? value : {};
};
