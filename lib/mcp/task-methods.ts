import type { CallToolResult, Result, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import { Problem } from "../platform/http/problems.ts";
import { isRecord } from "../values/json/json.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import type { Outcome, ReadTask } from "./offer.ts";

type Sdk = typeof import("@modelcontextprotocol/server");

/** The extension for calls that outlast their request, as clients and servers declare it (SEP-2663). */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** The metadata of a request from a client that takes tasks. */
const Declaring = z.object({
  "io.modelcontextprotocol/clientCapabilities": z.object({
    extensions: z.object({ [tasksExtension]: z.looseObject({}) }),
  }),
});

/** Returns whether the metadata of a request declares the extension. */
export const takesTasks = (metadata: unknown): boolean => Declaring.safeParse(metadata).success;

/** Returns the error of a request for tasks by a client that does not take them. */
export const missingTasks = (sdk: Sdk) =>
  new sdk.MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });

const TaskParams = z.looseObject({ taskId: z.string().max(200) });

/** Returns the result of a call that continues as a task. */
export const toCreatedTask = ({ state }: ReadTask): CallToolResult => ({
  ...state,
  resultType: "task",
  content: [],
});

/** Returns a task as clients read it, with its result or with what it asks. */
export const toDetailedTask = (
  { state, inputRequests, outcome }: ReadTask,
  toResult: (outcome: Outcome) => Result,
) => ({
  ...state,
  ...(inputRequests && { inputRequests }),
  ...(outcome && { result: toResult(outcome) }),
});

/**
 * Adds the methods of tasks to a server: to read one, to respond to what it asks, and to cancel it. A client that does not
 * declare the extension gets -32021, an unknown task -32602.
 */
export const addTaskMethods = (
  sdk: Sdk,
  server: Server,
  {
    tasks,
    guarded,
    toResult,
  }: {
    tasks: AgentTasks;
    /** Runs the work of a method and returns its errors to the client. */
    guarded: <Value>(work: () => Promise<Value>) => Promise<Value>;
    toResult: (outcome: Outcome) => Result;
  },
): void => {
  const requireTasks = (metadata: unknown): void => {
    if (!takesTasks(metadata)) throw missingTasks(sdk);
  };
  const unknownTask = () => new sdk.ProtocolError(sdk.INVALID_PARAMS, "There is no such task.");
  const method = (
    name: string,
    work: (taskId: string, inputResponses: unknown) => Promise<Result | undefined>,
  ) =>
    server.setRequestHandler(name, { params: TaskParams }, ({ taskId }, { mcpReq }) =>
      guarded(async () => {
        requireTasks(mcpReq.envelope);
        const result = await work(taskId, mcpReq.inputResponses).catch((error: unknown) => {
          if (!(error instanceof Problem) || problemRegistry[error.slug].status >= 500) throw error;
          throw new sdk.ProtocolError(sdk.INVALID_PARAMS, error.message);
        });
        if (!result) throw unknownTask();
        return result;
      }),
    );
  method("tasks/get", async (taskId) => {
    const task = await tasks.read(taskId);
    return task && toDetailedTask(task, toResult);
  });
  // The library takes the responses from the parameters.
  method("tasks/update", async (taskId, inputResponses) =>
    (await tasks.answer(taskId, isRecord(inputResponses) ? inputResponses : {})) ? {} : undefined,
  );
  method("tasks/cancel", async (taskId) => ((await tasks.cancel(taskId)) ? {} : undefined));
};
