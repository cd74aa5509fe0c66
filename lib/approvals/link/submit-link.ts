import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { linkExpired, Problem } from "../../platform/http/problems.ts";
import { type DecideDeps, decideApproval } from "../decide-approval.ts";
import { findHolder, type HolderDeps } from "./find-holder.ts";
import { type Form, toDecision } from "./read-form.ts";
import type { SignedLink } from "./verify-link.ts";

/** Why a form did not decide: the status of its response, and what the page says. */
export type FormRefusal = { status: number; errors: readonly string[] };

const statuses: Partial<Record<Problem["slug"], number>> = {
  "validation-failed": 400,
  "credentials-expired": 401,
  "insufficient-scope": 403,
  conflict: 409,
};

/**
 * Decides an approval by the form of a link's page, with the rules of the API. Returns the approval as it is then, with
 * the reasons where the form decided nothing.
 */
export const submitLink = async (
  deps: DecideDeps & HolderDeps,
  { link, form }: { link: SignedLink; form: Form },
): Promise<{ item: ApprovalItem; refusal: FormRefusal | undefined }> => {
  const { tenant, claims, item } = link;
  const now = deps.runtime.clock();
  try {
    if (claims.expiresAt <= now) throw linkExpired();
    const holder = await findHolder(deps, { link, now });
    const decided = await decideApproval(deps, {
      tenant,
      approvalId: item.id,
      decider: { type: "link", holder },
      body: toDecision(item, form),
    });
    return { item: decided, refusal: undefined };
  } catch (error) {
    const status = error instanceof Problem ? statuses[error.slug] : undefined;
    if (!(error instanceof Problem) || status === undefined) throw error;
    return { item, refusal: { status, errors: listErrors(error) } };
  }
};

const listErrors = ({ message, members: { errors } }: Problem): string[] => {
  if (!Array.isArray(errors)) return [message];
  return errors.map(
    ({ pointer, detail }) => `${String(pointer).replace(/^\/fields\//, "")} ${detail}`,
  );
};
