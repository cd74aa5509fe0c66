import * as z from "zod";
import { buildPointer, type Json } from "../../../values/json/json.ts";
import { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { StepError } from "../../step-error.ts";
import { approverMembers, readApprovers } from "../approvers.ts";
import { defineStep } from "../step-type.ts";
import type { ApprovalAction } from "../waits.ts";

/** Seconds of the shortest, the longest and the usual time for a decision. */
const times = { min: 60, max: 31_536_000, usual: 259_200 } as const;
const decisionTime = z.int().min(times.min).max(times.max).nullish();
/** Bytes of JSON of `data`. */
const maxDataBytes = 65_536;
const maxTextLength = 4_000;

const Action = z.object({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be letters, digits, _ and -"),
  label: z.string().min(1).max(80).nullish(),
  target: z.string().nullish(),
});
type Action = z.output<typeof Action>;

const usualActions: readonly Action[] = [
  { id: "approve", label: "Approve" },
  { id: "reject", label: "Reject" },
];

/** The answer to an approval. */
const Decision = z.looseObject({ action: z.string(), decidedBy: z.string() });

/** Waits until a person decides; an action with a target chooses the next step. */
export const approvalStep = defineStep({
  type: "Approval",
  shape: {
    title: z.string().min(1).max(1_000),
    message: z.string().max(16_000).nullish(),
    data: z.json().nullish(),
    fields: z.array(ParameterDescriptor).max(20).nullish(),
    actions: z.array(Action).min(2).max(6).nullish(),
    ...approverMembers,
    minApprovals: z.int().min(1).max(5).nullish(),
    timeoutSeconds: decisionTime,
    onTimeout: z.string().nullish(),
  },
  waits: false,
  timeLimit: decisionTime,
  templated: () => ["title", "message", "data", "approvers"],
  // When it is rejected, or not decided in time.
  canFail: () => true,
  targets: ({ actions }) =>
    (actions ?? []).flatMap(({ target }, index) =>
      target ? [{ pointer: buildPointer("actions", index, "target"), target }] : [],
    ),
  check({ actions: given, onTimeout, fields }) {
    const actions = given ?? usualActions;
    const repeated = actions.findIndex(({ id }, at) =>
      actions.some((a, i) => i < at && a.id === id),
    );
    const names = (fields ?? []).map(({ name }) => name);
    const again = names.findIndex((name, at) => names.indexOf(name) < at);
    const isKnown = (onTimeout ?? "fail") === "fail" || actions.some(({ id }) => id === onTimeout);
    const ids = actions.map(({ id }) => `"${id}"`).join(", ");
    return [
      ...(repeated < 0
        ? []
        : [
            {
              pointer: buildPointer("actions", repeated, "id"),
              detail: "is the id of two actions",
            },
          ]),
      ...(again < 0
        ? []
        : [
            { pointer: buildPointer("fields", again, "name"), detail: "is the name of two fields" },
          ]),
      ...(fields ?? []).flatMap(({ secret }, at) =>
        secret
          ? [
              {
                pointer: buildPointer("fields", at, "secret"),
                detail: "must be false: decisions are stored and shown",
              },
            ]
          : [],
      ),
      ...(isKnown
        ? []
        : [{ pointer: buildPointer("onTimeout"), detail: `must be "fail" or one of ${ids}` }]),
    ];
  },
  async run(step, { evaluate, clock, wait }) {
    const actions = step.actions ?? usualActions;
    const { at, answer } = await wait(async () => {
      const { approvers, ...shown } = await evaluateShown(step, evaluate);
      return {
        kind: "Approval",
        until: clock() + (step.timeoutSeconds ?? times.usual) * 1_000,
        approval: {
          kind: "Step",
          ...shown,
          fields: step.fields ?? [],
          actions: actions.map(toShown),
          approvers: readApprovers(approvers),
          minApprovals: step.minApprovals ?? 1,
          allowStarter: step.allowStarter ?? false,
          toolId: null,
          arguments: null,
          argumentsHash: null,
          argumentsSchema: null,
        },
      };
    });
    const output = answer ?? toTimedOut(step.onTimeout ?? "fail", at);
    const { action, decidedBy } = Decision.parse(output);
    const target = actions.find(({ id }) => id === action)?.target ?? null;
    if (action === "reject" && target === null) {
      throw new StepError("execution-failed", `Rejected by ${decidedBy}.`);
    }
    return { output, chosen: target };
  },
});

type Shown = { title: string; message?: string | null | undefined; data?: Json | undefined };

const evaluateShown = async (
  step: Shown & { approvers?: unknown },
  evaluate: (value: unknown) => Promise<Json>,
) => {
  const [title, message, data, approvers] = await Promise.all([
    evaluate(step.title),
    evaluate(step.message ?? null),
    evaluate(step.data ?? null),
    evaluate(step.approvers ?? null),
  ]);
  if (Buffer.byteLength(JSON.stringify(data)) > maxDataBytes) {
    const detail = `"data" of an Approval may have at most ${maxDataBytes} bytes of JSON.`;
    throw new StepError("execution-failed", detail);
  }
  return {
    title: toText(title),
    message: message === null ? null : toText(message),
    data,
    approvers,
  };
};

const toText = (value: Json): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, maxTextLength);

const toShown = ({ id, label }: Action): ApprovalAction => ({ id, label: label ?? id });

const toTimedOut = (onTimeout: string, at: number): Json => {
  if (onTimeout === "fail") {
    throw new StepError("execution-failed", "The approval was not decided in time.");
  }
  return { action: onTimeout, fields: {}, comment: null, decidedBy: "timeout", decidedAt: at };
};
