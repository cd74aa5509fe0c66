import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Guard } from "../access/guard.ts";
import { sendJson } from "../access/service-response.ts";
import type { Access } from "../template/authorizer.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import type { LocalScheduler } from "../template/scheduler.ts";
import { parseTiming, ScheduleDefinition } from "./definition.ts";
import type { ScheduleStore } from "./store.ts";

/** A request of EventBridge Scheduler's REST API. */
export type SchedulerRequest = { caller: string; method: string; url: string; body: Buffer };

/** Handles one request. */
export type SchedulerEndpoint = (request: SchedulerRequest, response: ServerResponse) => void;

class SchedulerFault extends Error {
  override name = "SchedulerFault";
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

type Options = LocalScheduler & {
  store: ScheduleStore;
  /** ARNs of the queues, the only supported targets. */
  queues: ReadonlySet<string>;
  guard: Guard;
  now: () => number;
  /** Called after each change. */
  changed: () => void;
};

type Call = {
  caller: string;
  name: string;
  query: URLSearchParams;
  body: () => ScheduleDefinition;
};

/**
 * Creates the endpoint of CreateSchedule, UpdateSchedule, GetSchedule and DeleteSchedule. Supports cron
 * expressions, single times and queue targets; enforces the caller's policies, `iam:PassRole` included.
 */
export const createSchedulerEndpoint = (options: Options): SchedulerEndpoint => {
  const { store, groups, roles, queues, guard, now, changed } = options;

  const authorize = (caller: string, accesses: readonly Access[]): void => {
    const refusal = guard(caller, accesses);
    if (refusal !== undefined) throw new SchedulerFault(403, "AccessDeniedException", refusal);
  };
  const requireGroup = (groupName: string): string => {
    if (groups.includes(groupName)) return groupName;
    throw notFound(`Schedule group ${groupName} does not exist.`);
  };
  const passRole = (roleArn: string): Access => ({
    action: "iam:PassRole",
    resource: roleArn,
    context: () => new Map([["iam:PassedToService", ["scheduler.amazonaws.com"]]]),
  });

  const write = (action: "Create" | "Update", { caller, name, body }: Call) => {
    const definition = body();
    const { GroupName, Target, State, ClientToken } = definition;
    const ScheduleArn = buildScheduleArn(GroupName, name);
    authorize(caller, [
      { action: `scheduler:${action}Schedule`, resource: ScheduleArn },
      passRole(Target.RoleArn),
    ]);
    const key = { groupName: requireGroup(GroupName), name };
    const timing = parseTiming(definition);
    if ("error" in timing) throw invalid(timing.error);
    if (!queues.has(Target.Arn))
      throw invalid(`Provided Arn is not a queue of this stack: ${Target.Arn}`);
    if (!roles.some(({ arn }) => arn === Target.RoleArn)) {
      throw invalid("The execution role you provide must allow the scheduler to assume the role.");
    }
    const existing = store.get(key);
    if (action === "Update" && !existing) throw notFound(`Schedule ${name} does not exist.`);
    if (action === "Create" && existing) {
      const isRepeated = ClientToken !== undefined && ClientToken === existing.clientToken;
      if (isRepeated) return { ScheduleArn };
      throw new SchedulerFault(409, "ConflictException", `Schedule ${name} already exists.`);
    }
    const { ScheduleExpression: expression, ScheduleExpressionTimezone: timeZone } = definition;
    // Keeps a firing that is already due when only the message changes.
    const pending =
      existing && existing.expression === expression && existing.timeZone === timeZone
        ? existing.due
        : null;
    store.put({
      ...key,
      expression,
      timeZone,
      definition: JSON.stringify(definition),
      clientToken: ClientToken ?? null,
      // A single time that has passed fires immediately.
      due:
        State === "ENABLED"
          ? (pending ?? timing.next(now()) ?? (timing.isOnce ? now() : null))
          : null,
    });
    changed();
    return { ScheduleArn };
  };

  const operations: Record<string, (call: Call) => unknown> = {
    POST: (call) => write("Create", call),
    PUT: (call) => write("Update", call),
    GET: ({ caller, name, query }) => {
      const groupName = query.get("groupName") ?? "default";
      const resource = buildScheduleArn(groupName, name);
      authorize(caller, [{ action: "scheduler:GetSchedule", resource }]);
      const existing = store.get({ groupName, name });
      if (!existing) throw notFound(`Schedule ${name} does not exist.`);
      const { ClientToken: _, ...definition } = ScheduleDefinition.parse(
        JSON.parse(existing.definition),
      );
      return { Arn: resource, Name: name, ...definition };
    },
    DELETE: ({ caller, name, query }) => {
      const groupName = query.get("groupName") ?? "default";
      authorize(caller, [
        { action: "scheduler:DeleteSchedule", resource: buildScheduleArn(groupName, name) },
      ]);
      if (!store.remove({ groupName, name })) throw notFound(`Schedule ${name} does not exist.`);
      changed();
      return {};
    },
  };

  return ({ caller, method, url, body }, response) => {
    const { pathname, searchParams: query } = new URL(url, "http://scheduler.invalid");
    const name = schedulePath.exec(pathname)?.[1];
    try {
      const run = operations[method];
      if (!run || name === undefined) throw invalid(`${method} ${pathname} is not supported`);
      const definition = () => ScheduleDefinition.parse(JSON.parse(body.toString("utf8")));
      sendJson(response, 200, run({ caller, name, query, body: definition }));
    } catch (error) {
      const fault =
        error instanceof SchedulerFault
          ? error
          : invalid(error instanceof z.ZodError ? z.prettifyError(error) : String(error));
      response.setHeader("x-amzn-errortype", fault.type);
      sendJson(response, fault.status, { Message: fault.message });
    }
  };
};

const schedulePath = /^\/schedules\/([0-9a-zA-Z\-_.]{1,64})$/;

const buildScheduleArn = (group: string, name: string): string =>
  `arn:aws:scheduler:${localRegion}:${localAccount}:schedule/${group}/${name}`;

const notFound = (message: string): SchedulerFault =>
  new SchedulerFault(404, "ResourceNotFoundException", message);

const invalid = (message: string): SchedulerFault =>
  new SchedulerFault(400, "ValidationException", message);
