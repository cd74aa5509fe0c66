import * as z from "zod";
import { createScore, giveFeedback } from "../../functions/scores/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { prepareAgent } from "./prepare-agent.ts";
import { readExample } from "./sample-request.ts";

const Link = z.object({ url: z.string() });

/** Creates the score that a row's path names, or the link that a row's path ends with. */
export const prepareScore = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
  { executionRecord }: Record<string, string>,
): Promise<Record<string, string>> => {
  const records = "/agents/hello/execution-records";
  if (row.path.includes("{score}")) {
    const body = z
      .looseObject({ id: z.string() })
      .parse(readExample(createScore.body ?? z.unknown(), "create-score body"));
    await own.send("POST", `${records}/${executionRecord}/scores`, body);
    return { score: body.id };
  }
  if (row.operation !== giveFeedback.operation) return {};
  const ofAgent = await prepareAgent(own, createScore);
  const link = await own.send("POST", `${records}/${ofAgent.executionRecord}:feedback-link`, {
    names: ["helpful"],
    expiresInSeconds: 3_600,
  });
  const [, feedbackToken = ""] = Link.parse(link.body).url.split("/feedback/");
  return { feedbackToken };
};
