import { command } from "../command.ts";
import { optionalArgument } from "../options.ts";

/** Row of `wharf dev`. */
export const dev = command({
  name: "dev",
  summary: "Apply and deploy a folder of agents to the local product on every save.",
  notes:
    "Works with a product on this machine: the one of local.json, or of --url. In a checkout it starts the product if " +
    "none runs. Prints what changed, and where to try each agent. Ctrl-C stops it.",
  args: { dir: optionalArgument("the folder; by default the current one") },
  examples: ["wharf dev agents"],
  notRun: "runs until Ctrl-C",
  json: "nothing: changes are written to standard error",
  run: async (input, io) => (await import("./dev/dev.ts")).develop(input, io),
});
