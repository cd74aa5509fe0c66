import { runCommand } from "./command.ts";
import { synthesize } from "./commands/synthesize.ts";
import { readConfig } from "./config.ts";
import { deletableVariable } from "./names.ts";

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
