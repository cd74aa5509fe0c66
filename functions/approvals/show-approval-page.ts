import { renderPage } from "../../lib/approvals/link/render-page.ts";
import { verifyLink } from "../../lib/approvals/link/verify-link.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { pageHeaders } from "../../lib/platform/http/html-page.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = signedEndpoint(
  rows.showApprovalPage,
  ({ tenant, signed: token }) =>
    verifyLink({ db: database(), sealer: kmsSealer() }, { tenant, token }),
  ({ signed: { item, claims }, ctx }) => {
    const isExpired = claims.expiresAt <= ctx.startedAt;
    return new Reply(renderPage({ item, isExpired, errors: [], form: {} }), pageHeaders);
  },
);
