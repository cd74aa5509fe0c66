import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { RevisionContent } from "./content.ts";
import { webhooksInFlow } from "./flow-parts.ts";

const Named = z.object({ id: z.string() });

/** Finds the webhooks that steps wait for and that do not exist. */
export const findUnknownWebhooks = async (
  db: Database,
  { tenant }: Pick<TenantContext, "tenant">,
  content: RevisionContent,
): Promise<ValidationIssue[]> => {
  const named = webhooksInFlow(content);
  if (named.length === 0) return [];
  const keys = named.map(({ id }) => webhookKey(tenant.id, id));
  const found = await getItems(db, keys, Named);
  return named.flatMap(({ pointer, id }, at) =>
    found[at] ? [] : [{ pointer, detail: `there is no webhook "${id}"` }],
  );
};
