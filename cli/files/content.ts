import * as z from "zod";
import { CreateRevisionBody } from "../../lib/agents/revision/content.ts";
import { takeSecrets } from "../../lib/agents/revision/secrets.ts";
import { toIssuePointer, zodErrorMap } from "../../lib/platform/http/zod-error-map.ts";
import { isRecord } from "../../lib/values/json/json.ts";
import { isSame, type Members, overlay, toItems, without } from "./json-value.ts";

/** Content of a revision in its complete form: defaults added, members that the service sets null. */
export type Content = Omit<CreateRevisionBody, "comment">;

/** A value that can't be the content of a revision, with pointers to the errors. */
export type ContentError = { pointer: string; detail: string };

const Body = CreateRevisionBody.omit({ comment: true });

/** Completes the content of a file or of a request; keeps members that this version does not know. */
export const completeContent = (
  value: Members,
): { content: Content } | { errors: readonly ContentError[] } => {
  const parsed = Body.safeParse(value, { error: zodErrorMap });
  if (!parsed.success) {
    return {
      errors: parsed.error.issues.map((issue) => ({
        pointer: toIssuePointer(issue.path),
        detail: issue.message,
      })),
    };
  }
  const content = overlay(value, parsed.data);
  return {
    content: {
      ...content,
      assets: content.assets.map((asset) => ({ ...asset, vectorized: false })),
      connectors: content.connectors.map((connector) => ({ ...connector, ...unowned, ...untimed })),
      jobPolicyConfigs: content.jobPolicyConfigs.map((jobPolicyConfig) => ({
        ...jobPolicyConfig,
        ...unowned,
        ...untimed,
        tenantId: null,
      })),
    },
  };
};

/** Returns the content of an agent that has no revision. */
export const emptyContent = (): Content => {
  const completed = completeContent({});
  if ("errors" in completed) throw new Error("an empty revision is invalid");
  return completed.content;
};

const unowned = { agentId: null, agentRevision: null };
const untimed = { createdAt: null, modifiedAt: null };

/** A revision's content, its comment and the times of its parts, which a next revision keeps. */
export type StoredContent = { content: Content; comment: string | null; times: Times };

/** Times of connectors and job policies by id. */
type Times = ReadonlyMap<string, { createdAt: number | null; modifiedAt: number | null }>;

const Revision = z.looseObject({ agentId: z.string(), agentRevision: z.int() });
const Part = z.object({
  id: z.string(),
  createdAt: z.number().nullable(),
  modifiedAt: z.number().nullable(),
});

/** Reads a revision as the API returned it. */
export const readRevision = (
  revision: unknown,
): StoredContent | { errors: readonly ContentError[] } => {
  const { agentId: _, agentRevision: __, comment, flow, ...rest } = Revision.parse(revision);
  const isDraft = isRecord(flow) && toItems(flow.steps).length === 0;
  const completed = completeContent(isDraft ? rest : { ...rest, flow });
  if ("errors" in completed) return completed;
  const parts = [...toItems(rest.connectors), ...toItems(rest.jobPolicyConfigs)];
  const times = z.array(Part).parse(parts);
  return {
    content: completed.content,
    comment: typeof comment === "string" ? comment : null,
    times: new Map(times.map(({ id, createdAt, modifiedAt }) => [id, { createdAt, modifiedAt }])),
  };
};

/** Gives job policies without an id that of the stored policy that they equal, or else that of the same position. */
export const adoptPolicyIds = (local: Content, stored: Content): Content => {
  const free = new Map(stored.jobPolicyConfigs.map((policy) => [policy.id, policy]));
  for (const { id } of local.jobPolicyConfigs) free.delete(id);
  const equal = local.jobPolicyConfigs.map((policy) => {
    if (policy.id) return policy;
    const same = [...free.values()].find((candidate) =>
      isSame(without(candidate, ["id"]), without(policy, ["id"])),
    );
    if (!same) return policy;
    free.delete(same.id);
    return same;
  });
  const jobPolicyConfigs = equal.map((policy, at) => {
    const other = stored.jobPolicyConfigs[at]?.id;
    if (policy.id || !free.delete(other)) return policy;
    return { ...policy, id: other };
  });
  return { ...local, jobPolicyConfigs };
};

/** Returns whether two contents are equal except for the values of secrets, which are not compared. */
export const isSameContent = (one: Content, other: Content): boolean =>
  isSame(takeSecrets(one).masked, takeSecrets(other).masked);

/** Lists the pointers of secrets that a file gives itself. */
export const listSecrets = (content: Content): string[] =>
  Object.keys(takeSecrets(content).secrets);

/** Builds the body of the next revision: parts that are as they were keep their times. */
export const toBody = (
  content: Content,
  comment: string | null,
  stored: StoredContent | undefined,
): Members => {
  const keepTimes = <Part extends { id?: string | null | undefined }>(
    part: Part,
    before: readonly { id?: string | null | undefined }[],
  ) => {
    const times = stored?.times.get(part.id ?? "");
    if (!times) return part;
    const isChanged = !before.some((other) => isSame(other, part));
    return { ...part, createdAt: times.createdAt, modifiedAt: isChanged ? null : times.modifiedAt };
  };
  const before = stored?.content;
  const { flow, ...rest } = content;
  return {
    ...rest,
    ...(flow.steps.length > 0 && { flow }),
    comment,
    connectors: content.connectors.map((connector) =>
      keepTimes(connector, before?.connectors ?? []),
    ),
    jobPolicyConfigs: content.jobPolicyConfigs.map((jobPolicyConfig) =>
      keepTimes(jobPolicyConfig, before?.jobPolicyConfigs ?? []),
    ),
  };
};
