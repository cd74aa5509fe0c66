import { executionDeps } from "../../lib/execution/deps.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toolsDeps } from "../../lib/integration/deps.ts";
import { answerMcp } from "../../lib/mcp/answer-mcp.ts";
import { findExposedConfig, findOffers } from "../../lib/mcp/find-offers.ts";
import { callMcp } from "./routes.ts";

const deps = () => ({
  objects: executionDeps().objects,
  execution: executionDeps(),
  tools: toolsDeps(),
});

/** What is left of the answer's time when a tool has not answered. */
const marginMs = 2_000;

export const handler = endpoint(callMcp, deps, async ({ ctx, params, body, headers }, deps) => {
  const config = await findExposedConfig(deps.execution.db, ctx, params.config);
  const answerBy = ctx.answerBy - marginMs;
  const signal = AbortSignal.timeout(Math.max(1, answerBy - ctx.clock()));
  const { tenant, principal, baseUrl } = ctx;
  return answerMcp(
    { body, headers, baseUrl },
    { findOffers: () => findOffers(deps, { tenant, principal, answerBy }, config, signal), signal },
  );
});
