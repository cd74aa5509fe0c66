import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { executionDeps } from "../../lib/execution/deps.ts";
import { toolsDeps } from "../../lib/integration/deps.ts";
import { answerMcp } from "../../lib/mcp/answer-mcp.ts";
import { findExposedConfig, findOffers } from "../../lib/mcp/find-offers.ts";
import * as rows from "./routes.ts";

/** What is left of the answer's time when a tool has not answered. */
const marginMs = 2_000;

export const handler = endpoint(
  rows.callMcp,
  async ({ ctx, params, body, headers }) => {
    const deps = { execution: executionDeps(), tools: toolsDeps() };
    const config = await findExposedConfig(deps.execution.db, ctx, params.config);
    const answerBy = ctx.answerBy - marginMs;
    const signal = AbortSignal.timeout(Math.max(1, answerBy - ctx.clock()));
    const { tenant, principal, baseUrl } = ctx;
    return answerMcp(
      { body, headers, baseUrl },
      {
        findOffers: () => findOffers(deps, { tenant, principal, answerBy }, config, signal),
        signal,
      },
    );
  },
  { objects: objectStore },
);
