import type { Construct } from "constructs";
import type { Method } from "../../lib/platform/http/row.ts";
import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import { issuerEnvironment, tokenEnvironment } from "../functions/function-environment.ts";
import type { HttpFunctionRecord } from "../functions/function-records.ts";
import { makeFunction, type StackSurroundings } from "./function-maker.ts";
import { authenticationGrants, slotGrants } from "./grants.ts";
import type { ProductFunction } from "./product-function.ts";

/**
 * Creates the function of one or several rows. Its environment lists the methods of its resource, for 405. Unless all
 * rows are public, it may authenticate; an inbound row is public and authenticates by a key in the path.
 */
export const httpFunction = (
  scope: Construct,
  record: HttpFunctionRecord,
  methods: Readonly<Record<string, readonly Method[]>>,
  surroundings: StackSurroundings & {
    reservedConcurrency: number | undefined;
    /** Concurrent calls of one tenant; undefined for a function that keeps no caller waiting. */
    tenantSlots: number | undefined;
  },
): ProductFunction => {
  const isPublic = record.rows.every(({ scope }) => scope === "public");
  const isOpen = isPublic && !record.rows.some(({ inbound }) => inbound);
  const authentication = isOpen ? undefined : authenticationGrants(surroundings.data);
  const { tenantSlots } = surroundings;
  const slots = tenantSlots === undefined ? undefined : slotGrants(surroundings.data, tenantSlots);
  return makeFunction(scope, record, surroundings, {
    reservedConcurrency: surroundings.reservedConcurrency,
    description: record.rows
      .map(({ summary }) => summary)
      .join(" | ")
      .slice(0, 256),
    environment: {
      [resourceVariables.resourceMethods]: JSON.stringify(methods),
      ...(surroundings.data.originSecret && {
        [resourceVariables.originSecret]: surroundings.data.originSecret,
      }),
      ...slots?.environment,
      ...authentication?.environment,
      ...(!isPublic && tokenEnvironment(surroundings.data.tokens)),
      ...(record.access.issuer && issuerEnvironment(surroundings.data.tokens)),
    },
    statements: [...(authentication?.statements ?? []), ...(slots?.statements ?? [])],
  });
};
