import { command } from "../command.ts";
import { argument, text } from "../options.ts";

/** Row of `wharf chat`. */
export const chat = command({
  name: "chat",
  summary: "Talk to an agent that has sessions.",
  args: { agent: argument("the agent's id") },
  options: {
    session: text("id", "session to continue; by default a new one"),
    endUser: text("id", "end user whom a new session belongs to"),
  },
  notes: `Each line of standard input is a message: the agent's input message, or its only input of the type String. The answer is printed as it is generated. An empty line is ignored; the end of the input (Ctrl-D) ends the chat, and the session stays.
Exit code: 0, or that of a failed request. A failed execution is reported, and the chat continues.`,
  examples: ["wharf chat host", "wharf chat host --session ticket-4711"],
  scopes: "agents:execute",
  json: 'a line for each message: `{"session": ID, "executionId": ID, "output": …}`',
  run: async (input, io) => (await import("./chat/chat.ts")).chatWithAgent(input, io),
});
