import { Session } from "node:inspector/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { testDatabase } from "../../../test/harness/table.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Returns the files of the project of which some work calls a function. */
const findPassedFiles = async (work: () => Promise<unknown>): Promise<string[]> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ functions }) =>
      functions.some(
        ({ functionName, ranges }) => functionName !== "" && ranges.some(({ count }) => count > 0),
      ),
    )
    .map(({ url }) => relative(root, url.startsWith("file:") ? fileURLToPath(url) : url))
    .filter((file) => /^(functions|lib)\//.test(file));
};

test("an execution of a Prompt and an Output passes at most 37 files of lib/executions and lib/spending", {
  tags: "nightly",
}, async () => {
  const world = testExecutions(await testDatabase());
  await world.tenant.createAgent("hello");
  await world.deploy("hello", {
    parametersMetadata: [{ name: "name", type: "String" }],
    llmConfigs: [{ providerId: "test", parameters: {} }],
    flow: {
      steps: [
        { id: "ask", type: "Prompt", prompt: "Hello, {% input.name %}!" },
        { id: "answer", type: "Output", value: "{% steps.ask.output %}" },
      ],
      edges: [{ source: "ask", target: "answer" }],
    },
  });
  const run = () => world.execute("hello", { input: { name: "Ada" } });
  await run();
  const passed = await findPassedFiles(run);
  const own = passed.filter((file) => /^lib\/(executions|spending)\//.test(file));
  expect(own).toContain("lib/executions/run/run-job.ts");
  expect(own.length, own.toSorted().join("\n")).toBeLessThanOrEqual(37);
});
