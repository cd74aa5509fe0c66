import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { Method } from "../../lib/edge/route.ts";
import { resourceVariables } from "../../lib/platform/db/table.ts";
import { tokenEnvironment } from "../function-environment.ts";
import type { HttpFunctionRecord } from "../functions.ts";
import { type FunctionSurroundings, makeFunction } from "./function-maker.ts";
import { authenticationGrants } from "./grants.ts";
import type { ProductFunction } from "./product-function.ts";

/**
 * The function of one or several rows. It hears which methods its gateway resource has, for 405; unless
 * all its rows are public, it may authenticate and count calls. An inbound row is public, and checks a key.
 */
export const httpFunction = (
  scope: Construct,
  record: HttpFunctionRecord,
  methods: Readonly<Record<string, readonly Method[]>>,
  surroundings: FunctionSurroundings,
): ProductFunction => {
  const isPublic = record.rows.every(({ scope }) => scope === "public");
  const isOpen = isPublic && !record.rows.some(({ inbound }) => inbound);
  const authentication = isOpen ? undefined : authenticationGrants(surroundings.data);
  return makeFunction(scope, record, surroundings, {
    description: record.rows
      .map(({ summary }) => summary)
      .join(" | ")
      .slice(0, 256),
    environment: {
      [resourceVariables.resourceMethods]: JSON.stringify(methods),
      ...authentication?.environment,
      ...(!isPublic && tokenEnvironment(surroundings.data.tokens)),
    },
    statements: authentication?.statements ?? [],
  });
};

/** Lets one API, on whatever stage and path, call a function. */
export const letApiCall = ({ lambda }: ProductFunction, sourceArn: string): void =>
  lambda.addPermission("Gateway", {
    principal: new ServicePrincipal("apigateway.amazonaws.com"),
    sourceArn,
  });
