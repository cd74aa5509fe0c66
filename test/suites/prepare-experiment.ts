import * as z from "zod";
import { createExperiment } from "../../functions/experiments/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { readExample } from "./sample-request.ts";

const Created = z.object({ id: z.string() });

/** A step that waits for a minute before its retry, so that the experiment can be cancelled. */
const waiting = {
  id: "answer",
  type: "Transform",
  value: "{% $error('not yet') %}",
  retry: { maxAttempts: 2, backoffSeconds: 60, on: ["execution-failed"] },
};

/** Creates what the sample experiment names, and the experiment where a row's path names one. */
export const prepareExperiment = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  { group, path }: Route,
): Promise<Record<string, string>> => {
  if (group !== "experiments") return {};
  await own.deployAgent("hello", { flow: { steps: [waiting], edges: [] } });
  await own.send("POST", "/datasets", { id: "questions", displayName: "Questions" });
  await own.send("POST", "/datasets/questions/examples", { items: [{ input: {} }] });
  await own.send("POST", "/scorers", { id: "correct", displayName: "Correct", type: "Exact" });
  if (!path.includes("{experiment}")) return {};
  const body = readExample(createExperiment.body ?? z.unknown(), "the experiment");
  const { id } = Created.parse((await own.send("POST", "/experiments", body)).body);
  return { experiment: id };
};
