import { readConfig } from "./settings/config.ts";
import { deletableVariable } from "./settings/names.ts";
import { runCommand } from "./shell/command.ts";
import { synthesize } from "./stacks/synthesize.ts";

// Entry of the CDK command line, which sets the output directory.
const deletable = process.env[deletableVariable] === "true";

await runCommand(async () => {
  await synthesize({
    outdir: process.env.CDK_OUTDIR ?? "cdk.out",
    config: readConfig(process.env),
    nag: !deletable,
    deletable,
  });
});
