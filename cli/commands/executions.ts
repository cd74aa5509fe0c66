import { command, group } from "../command.ts";
import { argument, optionalArgument, optionalChoice, positive, text } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const agent = argument("the agent's id");
const execution = argument("the execution's id");
const { execution: id } = sampleIds;

const list = command({
  name: "list",
  summary: "List executions, newest first.",
  args: { agent: optionalArgument("the agent's id; by default all agents") },
  options: {
    status: optionalChoice(
      "status",
      ["Queued", "Waiting", "Running", "Succeeded", "Failed", "Cancelled", "TimedOut"],
      "only executions with this status",
    ),
    revision: positive("only executions of this revision"),
    trace: text("id", "only executions of this trace"),
    text: text("text", "only executions with this text in their input or output"),
    error: text("text", "only executions with this text in the type or detail of their error"),
    since: text("time", "only executions that started at or after this time (ISO 8601)"),
    until: text("time", "only executions that started at or before this time (ISO 8601)"),
    limit: positive("maximum number of executions to list, by default 50"),
  },
  examples: [
    "wharf executions list hello",
    "wharf executions list --status Failed --error timeout",
    "wharf executions list hello --text Ada",
    "wharf executions list hello --status Failed --since 2026-11-01 --json",
  ],
  scopes: "executions:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./executions/list.ts")).listExecutions(input, io),
});

const get = command({
  name: "get",
  summary: "Show an execution with its input and output.",
  args: { agent, execution },
  examples: [`wharf executions get hello ${id}`],
  scopes: "executions:read",
  json: "the record as the API returned it",
  run: async (input, io) => (await import("./executions/get.ts")).getExecution(input, io),
});

const trace = command({
  name: "trace",
  summary: "Show the steps of an execution as a waterfall.",
  args: { agent, execution },
  notes:
    "Prints one line per step, model call or tool call, below its parent, with duration, tokens and cost.",
  examples: [`wharf executions trace hello ${id}`],
  scopes: "traces:read",
  json: 'the trace as the API returned it: `{"executionId": "…", "spans": […]}`',
  run: async (input, io) => (await import("./executions/trace.ts")).traceExecution(input, io),
});

const cancel = command({
  name: "cancel",
  summary: "Cancel an execution.",
  args: { agent, execution },
  examples: [`wharf executions cancel hello ${id}`],
  notRun: "the execution has ended",
  scopes: "agents:execute",
  json: '`{"id": "01a1fb9e-…", "cancelled": true}`',
  run: async (input, io) => (await import("./executions/cancel.ts")).cancelExecution(input, io),
});

const tail = command({
  name: "tail",
  summary: "Print executions of an agent as they start and end, until Ctrl-C.",
  args: { agent },
  options: {
    last: positive("print this many earlier executions first"),
    interval: positive("seconds between two requests, by default 2"),
  },
  examples: ["wharf executions tail hello", "wharf executions tail hello --last 5 --json"],
  notRun: "runs until Ctrl-C",
  scopes: "executions:read",
  json: "a line for each change of an execution: the list's item as the API returned it",
  run: async (input, io) => (await import("./executions/tail.ts")).tailExecutions(input, io),
});

/** Rows of `wharf executions`. */
export const executions = group({
  name: "executions",
  summary: "Read and cancel executions.",
  examples: ["wharf executions list hello", `wharf executions trace hello ${id}`],
  commands: [list, get, trace, cancel, tail],
});
