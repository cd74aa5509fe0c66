import { unwrapBody } from "../../../../client/client.ts";
import type { CreateFeedbackLinkBody, CreateScoreBody, Score } from "../../../../client/openapi.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { useAction } from "../../shared/use-action.ts";
import { useList } from "../../shared/use-list.ts";

const executionPath = "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}";
const scoresPath = `${executionPath}/scores` as const;

/** The execution to read scores of. */
export type ScoredExecution = { agent: string; executionRecord: string };

/** Lists the scores of an execution; chat users and scorers give them meanwhile. */
export const useScores = ({ agent, executionRecord }: ScoredExecution) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Score>({
    queryKey: [tenant, "scores", agent, executionRecord],
    getId: ({ id }) => id,
    read: (query) =>
      unwrapBody(
        client.GET(scoresPath, { params: { path: { tenant, agent, executionRecord }, query } }),
      ),
  });
};

/** Adds a score, or replaces the one with its id. */
export const useSaveScore = ({ agent, executionRecord }: ScoredExecution) =>
  useAction(["scores"], ({ client, tenant }, body: CreateScoreBody) =>
    unwrapBody(
      client.POST(scoresPath, { params: { path: { tenant, agent, executionRecord } }, body }),
    ),
  );

/** Deletes a score. */
export const useDeleteScore = ({ agent, executionRecord }: ScoredExecution) =>
  useAction(["scores"], ({ client, tenant }, score: string) =>
    client.DELETE(`${scoresPath}/{score}`, {
      params: { path: { tenant, agent, executionRecord, score } },
    }),
  );

/** Creates an address that accepts one score of an execution. */
export const useCreateFeedbackLink = ({ agent, executionRecord }: ScoredExecution) =>
  useAction([], ({ client, tenant }, body: CreateFeedbackLinkBody) =>
    unwrapBody(
      client.POST(`${executionPath}:feedback-link`, {
        params: { path: { tenant, agent, executionRecord } },
        body,
      }),
    ),
  );
