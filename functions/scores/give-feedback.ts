import { giveFeedback, verifyFeedback } from "../../lib/evaluation/score/give-feedback.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = signedEndpoint(
  rows.giveFeedback,
  ({ tenant, signed, now }) =>
    verifyFeedback(
      { db: database(), sealer: kmsSealer() },
      { tenantId: tenant.id, token: signed, now },
    ),
  async ({ signed, body, ctx }) => {
    await giveFeedback(database(), signed, body, ctx.startedAt);
    return undefined;
  },
);
