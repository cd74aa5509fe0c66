import { nearestName } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { findEventTypes } from "../../vendors/registry/find-event-types.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";

/** A name that a provider added since its list was written may resemble an older one; a misspelling is this near. */
const mostEdits = 2;

/**
 * Finds the event types that a webhook's provider does not have. Where its list may not be complete, only those that
 * misspell one of the list.
 */
export const checkEventTypes = (
  providerId: string,
  eventTypes: readonly string[],
): ValidationIssue[] => {
  const provider = findWebhookProvider(providerId);
  const known = findEventTypes(providerId);
  if (!provider || !known) return [];
  const { names, isComplete } = known;
  return eventTypes.flatMap((type, at) => {
    if (names.includes(type)) return [];
    const nearest = nearestType(type, names, isComplete ? undefined : mostEdits);
    if (nearest === undefined && !isComplete) return [];
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    const detail = `is not an event type of ${provider.displayName}${hint}`;
    return [{ pointer: `/eventTypes/${at}`, detail }];
  });
};

/** Returns the event type without its action, such as `issues` of `issues.opened`, else the nearest one. */
const nearestType = (
  type: string,
  names: readonly string[],
  mostEdits: number | undefined,
): string | undefined => {
  const [event = ""] = type.split(/[.:/]/);
  return names.includes(event) ? event : nearestName(type, names, mostEdits);
};
