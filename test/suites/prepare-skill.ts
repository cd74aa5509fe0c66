import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { sampleParams } from "./sample-request.ts";

/** Creates the skill of the sample requests. */
export const prepareSkill = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<void> => {
  const { skill } = sampleParams(row);
  if (row.group !== "skills" || skill === undefined) return;
  await own.send("POST", "/skills", { id: skill, displayName: "Travel", description: "Plans." });
};
