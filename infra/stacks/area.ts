import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { FunctionSurroundings } from "../constructs/function-maker.ts";
import { httpFunction } from "../constructs/http-function.ts";
import { stackLogs } from "../constructs/stack-logs.ts";
import { callerConcurrency, callerSlots } from "../functions/concurrency.ts";
import { type HttpFunctionRecord, methodsByResource } from "../functions/function-records.ts";
import type { Product } from "../functions/product.ts";

/** The functions of an area of the API, their roles and their log group. The API refers to them by name. */
export class AreaStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps &
      FunctionSurroundings & { product: Product; functions: readonly HttpFunctionRecord[] },
  ) {
    super(scope, id, props);
    const { config, product, functions } = props;
    const methods = methodsByResource(product.http);
    const surroundings = { ...props, logGroup: stackLogs(this, "Logs", config.LOG_RETENTION_DAYS) };
    const reserved = callerConcurrency(product.http, config);
    const slots = callerSlots(product.http, config);
    for (const record of functions) {
      httpFunction(this, record, methods.get(record.resource) ?? {}, {
        ...surroundings,
        reservedConcurrency: reserved.get(record.name),
        tenantSlots: slots.get(record.name),
      });
    }
  }
}
