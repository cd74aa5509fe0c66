import type { ExecutionItem } from "./items.ts";
import type { ExecutionStatus } from "./schemas.ts";

/** Filters of a list of executions, as its query parameters. */
export type ExecutionFilters = {
  status?: ExecutionStatus | undefined;
  revision?: number | undefined;
  triggerType?: number | undefined;
  "metadata.{name}"?: Record<string, string> | undefined;
};

/** Returns the test that an execution must pass; undefined when no filter is given. */
export const toFilter = ({
  status,
  revision,
  triggerType,
  "metadata.{name}": metadata = {},
}: ExecutionFilters): ((item: ExecutionItem) => boolean) | undefined => {
  const members = Object.entries(metadata);
  if ([status, revision, triggerType].every((each) => each === undefined) && members.length === 0) {
    return undefined;
  }
  return (item) =>
    (status === undefined || item.status === status) &&
    (revision === undefined || item.agentRevision === revision) &&
    (triggerType === undefined || item.trigger.type === triggerType) &&
    members.every(([name, value]) => getMetadataValue(item.metadata, name) === value);
};

const getMetadataValue = (
  metadata: Record<string, string> = {},
  name: string,
): string | undefined => (Object.hasOwn(metadata, name) ? metadata[name] : undefined);
