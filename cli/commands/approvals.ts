import { command, group } from "../command.ts";
import { argument, flag, optionalChoice, positive, text, texts } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const approval = argument("the approval's id");
const { approval: id } = sampleIds;

const list = command({
  name: "list",
  summary: "List approvals, newest first.",
  options: {
    status: optionalChoice(
      "status",
      ["Pending", "Decided", "TimedOut", "Cancelled"],
      "only approvals with this status",
    ),
    mine: flag("only pending approvals that you may decide, and have not decided yet"),
    agent: text("agent", "only approvals of this agent"),
    execution: text("id", "only approvals of this execution and of its sub-agents"),
    limit: positive("maximum number of approvals to list, by default 50"),
  },
  examples: ["wharf approvals list --mine", "wharf approvals list --status Pending --json"],
  scopes: "executions:read; for approvals that you may decide, agents:execute",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./approvals/list.ts")).listApprovals(input, io),
});

const get = command({
  name: "get",
  summary: "Show an approval with its data, arguments, approvers and decisions.",
  args: { approval },
  examples: [`wharf approvals get ${id}`],
  scopes: "executions:read; for an approval that you may decide, agents:execute",
  json: "the approval as the API returned it",
  run: async (input, io) => (await import("./approvals/get.ts")).getApproval(input, io),
});

const link = command({
  name: "link",
  summary: "Create a page on which a person without an account decides in your name.",
  args: { approval },
  options: {
    expires: positive(
      "seconds until the link expires, by default a week; at most until the approval does",
    ),
  },
  examples: [`wharf approvals link ${id}`, `wharf approvals link ${id} --expires 3600`],
  scopes: "agents:execute, as an approver",
  json: "`{url, expiresAt}`, as the API returned it",
  run: async (input, io) => (await import("./approvals/link.ts")).linkApproval(input, io),
});

const decide = command({
  name: "decide",
  summary: "Decide an approval. Its execution continues.",
  args: { approval, action: argument("the action's id, such as approve or reject") },
  options: {
    field: texts(
      "name=value",
      "a value, converted to the type that the approval declares (can be repeated)",
    ),
    comment: text("text", "a comment; the model receives it when a tool call is rejected"),
    argumentsFile: text(
      "file",
      "JSON file with arguments that replace those of the tool call; - reads standard input",
    ),
  },
  examples: [`wharf approvals decide ${id} approve --comment 'Go ahead.'`],
  scopes: "agents:execute, as an approver",
  json: "the approval as the API returned it",
  run: async (input, io) => (await import("./approvals/decide.ts")).decideApproval(input, io),
});

/** Rows of `wharf approvals`. */
export const approvals = group({
  name: "approvals",
  summary: "List and decide what executions wait for.",
  examples: ["wharf approvals list --mine", `wharf approvals decide ${id} approve`],
  commands: [list, get, link, decide],
});
