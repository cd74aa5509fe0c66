import { createFeedbackLink } from "../../lib/evaluation/score/create-feedback-link.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createFeedbackLink, ({ db, ctx, params, body }) =>
  createFeedbackLink(
    { db, sealer: kmsSealer() },
    { ctx, agentId: params.agent, executionId: params.executionRecord, body },
  ),
);
