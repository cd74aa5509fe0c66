import { runCommand } from "./command.ts";
import { readConfig } from "./config.ts";
import { synthesize } from "./synthesize.ts";

// The entry of the CDK's command line, which says where to write.
await runCommand(async () => {
  await synthesize({
    outdir: process.env.CDK_OUTDIR ?? "cdk.out",
    config: readConfig(process.env),
    nag: true,
  });
});
