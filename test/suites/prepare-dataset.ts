import * as z from "zod";
import { addExamplesFromExecutions, createDataset } from "../../functions/datasets/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { readExample, sampleParams } from "./sample-request.ts";

const Executed = z.object({ executionId: z.string() });

/** Creates the dataset of the sample requests, and an example where a row's path names one. */
export const prepareDataset = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<void> => {
  const { dataset, example } = sampleParams(row);
  if (row.group !== "datasets" || dataset === undefined) return;
  await own.send(
    "POST",
    "/datasets",
    readExample(createDataset.body ?? z.unknown(), "the dataset"),
  );
  if (example === undefined) return;
  const items = [{ id: example, input: { name: "Ada" } }];
  await own.send("POST", `/datasets/${dataset}/examples`, { items });
};

/** Runs an agent for the row that makes examples of executions; returns the members of its body that name them. */
export const prepareExecutions = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  { operation }: Route,
): Promise<Record<string, unknown>> => {
  if (operation !== addExamplesFromExecutions.operation) return {};
  await own.deployAgent("hello", {
    parametersMetadata: [{ name: "name", type: "String" }],
    flow: { steps: [{ id: "answer", type: "Output", value: "{% input.name %}" }], edges: [] },
  });
  const executed = await own.send("POST", "/agents/hello:execute", { input: { name: "Ada" } });
  return { executionIds: [Executed.parse(executed.body).executionId] };
};
