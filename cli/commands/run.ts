import { command } from "../command.ts";
import { argument, flag, positive, text, texts } from "../options.ts";

/** Row of `wharf run`. */
export const run = command({
  name: "run",
  summary: "Run an agent and print its output.",
  args: { agent: argument("the agent's id") },
  options: {
    input: texts(
      "name=value",
      "an input, converted to the type that the agent declares (can be repeated)",
    ),
    inputFile: text("file", "JSON file with the inputs; - reads standard input"),
    stream: flag("print steps and model text as they arrive"),
    revision: positive("revision to run; by default the deployed one"),
    background: flag("start the execution and exit"),
  },
  excess: "Give inputs with --input, such as wharf run hello --input name=Ada.",
  notes: `The output goes to standard output; steps, progress and the cost go to standard error. With --stream, text of models goes to standard output as it is generated, one step at a time, and the output is not repeated if it is that text.
The command waits for executions that continue in the background; Ctrl-C stops waiting, not the execution.
An input of the type File is --input photo=@PATH, which is uploaded, an http or https address, or the id of a stored file. If it accepts several files, repeat the option.
With credentials that may not read the agent, a value of --input is JSON, or else text: store a file with \`wharf files upload\`, and give its id as JSON.
Exit codes: 0 succeeded (or started, with --background), 1 failed, 8 timed out, 9 cancelled.`,
  examples: [
    "wharf run hello --input name=Ada",
    "wharf run hello --input name=Ada --stream",
    `echo '{"name": "Ada"}' | wharf run hello --input-file - --json`,
    "wharf run hello --input name=Ada --background",
    "wharf run describe --input photo=@photo.png",
  ],
  scopes: "agents:execute",
  json: "the execution as the API returned it: `{executionId, agentId, agentRevision, status, output, usage, cost, priced, startTime, endTime}`; a failed one is its record, with `error`",
  run: async (input, io) => (await import("./run/run.ts")).runAgent(input, io),
});
