import { type ChildProcess, fork } from "node:child_process";
import { on, once } from "node:events";
import type { TestProject } from "vitest/node";
import * as z from "zod";
import type { SharedAddresses } from "./shared-stacks.ts";

declare module "vitest" {
  interface ProvidedContext extends Required<SharedAddresses> {}
}

type Shared = { users: number; stacks: ChildProcess };

/** Projects load this module separately, so shared state is a property of the process. */
const place: typeof globalThis & { wharfStacks?: Shared } = globalThis;

const Report = z.object({
  project: z.string(),
  addresses: z.custom<SharedAddresses>().optional(),
  fault: z.string().optional(),
});

const start = (): ChildProcess =>
  fork(new URL("run-stacks.ts", import.meta.url), {
    // As in `npm start`.
    execArgv: ["--min-semi-space-size=4"],
  });

const requestStack = async (stacks: ChildProcess, project: string): Promise<SharedAddresses> => {
  const reports = on(stacks, "message", { close: ["exit"] });
  stacks.send({ project });
  for await (const [message] of reports) {
    const report = Report.parse(message);
    if (report.project !== project) continue;
    if (report.addresses) return report.addresses;
    throw new Error(report.fault);
  }
  throw new Error("the process of the stacks has ended");
};

/** Starts the stack of a project in the process of all shared stacks, which ends after the last project that uses it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  place.wharfStacks ??= { users: 0, stacks: start() };
  const shared = place.wharfStacks;
  shared.users += 1;
  const { stack, pageAddresses, sources, botFramework } = await requestStack(
    shared.stacks,
    project.name,
  );
  project.provide("stack", stack);
  project.provide("pageAddresses", pageAddresses);
  if (sources) project.provide("sources", sources);
  if (botFramework) project.provide("botFramework", botFramework);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place.wharfStacks;
    const exit = once(shared.stacks, "exit");
    shared.stacks.disconnect();
    await exit;
  };
};
