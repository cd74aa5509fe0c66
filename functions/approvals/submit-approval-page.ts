import { renderPage } from "../../lib/approvals/link/render-page.ts";
import { submitLink } from "../../lib/approvals/link/submit-link.ts";
import { verifyLink } from "../../lib/approvals/link/verify-link.ts";
import { findOpenConnector } from "../../lib/chat/connector/find-open-connector.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { pageHeaders } from "../../lib/platform/http/html-page.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

const isConnectorOpen = async (tenantId: TenantId, connectorId: string): Promise<boolean> =>
  (await findOpenConnector(database(), tenantId, connectorId)) !== undefined;

export const handler = signedEndpoint(
  rows.submitApprovalPage,
  ({ tenant, signed: token }) =>
    verifyLink({ db: database(), sealer: kmsSealer() }, { tenant, token }),
  async ({ signed: link, body: form, ctx }) => {
    const deps = { db: database(), objects: objectStore(), send, runtime: systemRuntime };
    const { item, refusal } = await submitLink({ ...deps, isConnectorOpen }, { link, form });
    const isExpired = link.claims.expiresAt <= ctx.startedAt;
    const content = { item, isExpired, errors: refusal?.errors ?? [], form };
    return new Reply(renderPage(content), pageHeaders, refusal?.status);
  },
);
