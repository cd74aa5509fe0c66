import * as z from "zod";
import { type SharedStack, sharedStacks } from "./shared-stacks.ts";

/*
 * Runs the stacks that tests share, in a process of its own: the one that starts the tests would copy the page tables of
 * all functions with each process that it starts.
 */

const Request = z.object({ project: z.string() });

const running = new Map<string, Promise<SharedStack>>();

/** Starts the stack of a project once for all projects that share it. */
const findStack = (project: string): Promise<SharedStack> => {
  const name = sharedStacks[project] ? project : "unlimited";
  const stack = running.get(name) ?? sharedStacks[name]?.();
  if (!stack) throw new Error(`there is no stack ${name}`);
  running.set(name, stack);
  return stack;
};

process.on("message", async (message) => {
  const { project } = Request.parse(message);
  try {
    const { addresses } = await findStack(project);
    process.send?.({ project, addresses });
  } catch (error) {
    process.send?.({ project, fault: error instanceof Error ? error.stack : String(error) });
  }
});

process.once("disconnect", async () => {
  const closing = [...running.values()].map(async (stack) => (await stack).close());
  const closed = await Promise.allSettled(closing);
  process.exit(closed.every(({ status }) => status === "fulfilled") ? 0 : 1);
});
