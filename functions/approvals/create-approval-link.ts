import { createApprovalLink } from "../../lib/approvals/link/create-link.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createApprovalLink, ({ db, ctx, params, body }) =>
  createApprovalLink({ db, sealer: kmsSealer() }, { ctx, approvalId: params.approval, body }),
);
