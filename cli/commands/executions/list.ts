import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionRecord, ExecutionStatus } from "../../../client/openapi.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  agent: string | undefined;
  status: ExecutionStatus | undefined;
  revision: number | undefined;
  trace: string | undefined;
  text: string | undefined;
  error: string | undefined;
  since: string | undefined;
  until: string | undefined;
  limit: number | undefined;
};

/** Runs `wharf executions list`. */
export const listExecutions = async (input: Input, io: Io): Promise<void> => {
  const { agent, status, revision, trace, text, error, limit = 50 } = input;
  const startTime = parseTime(input.since, "--since");
  const endTime = parseTime(input.until, "--until");
  const filter = {
    ...(status && { status }),
    ...(revision !== undefined && { revision }),
    ...(trace !== undefined && { traceId: trace }),
    ...(text !== undefined && { text }),
    ...(error !== undefined && { error }),
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
  };
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (page) =>
      unwrapBody(
        agent === undefined
          ? client.GET("/v1/tenants/{tenant}/execution-records", {
              params: { path: { tenant }, query: { ...filter, ...page } },
            })
          : client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records", {
              params: { path: { tenant, agent }, query: { ...filter, ...page } },
            }),
      ),
    limit,
    io,
  );
  const none = "No executions found.";
  if (agent !== undefined) return printList(io, input, { items, none, heading, toRow });
  const toRowWithAgent = (record: ExecutionRecord) => [record.agentId, ...toRow(record)];
  printList(io, input, { items, none, heading: ["AGENT", ...heading], toRow: toRowWithAgent });
};

const parseTime = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw usage(`${option} must be a time, such as 2026-11-01T12:00:00Z.`);
  return time;
};

const heading = ["ID", "STATUS", "STARTED", "DURATION", "REVISION", "TOKENS", "COST", "ERROR"];

const toRow = (record: ExecutionRecord): string[] => [
  record.id,
  record.status,
  showTime(record.startTime),
  record.endTime === null ? "" : showDuration(record.endTime - record.startTime),
  String(record.agentRevision),
  String(record.inputTokens + record.outputTokens),
  showCost(record.totalCost, record.priced),
  showError(record),
];

const showError = ({ errorType, errorDetail }: ExecutionRecord): string =>
  [errorType, errorDetail].filter((part) => part !== null).join(": ");
