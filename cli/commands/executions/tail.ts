import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionRecord } from "../../../client/openapi.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { everyFewSeconds } from "../../follow.ts";
import type { Io } from "../../io.ts";
import { printJsonLine, printMessage, showTime } from "../../output.ts";
import { printable } from "../../printable.ts";
import { openSession, type Session } from "../../session.ts";
import { createStyle } from "../../style.ts";

type Input = GlobalInput & {
  agent: string;
  last: number | undefined;
  interval: number | undefined;
};

const pageSize = 50;

/** Runs `wharf executions tail`. */
export const tailExecutions = async (input: Input, io: Io): Promise<void> => {
  const session = await openSession(input, io);
  const { agent, last = 0, interval = 2 } = input;
  const seen = new Map<string, string>();
  const first = await newest(session, agent, Math.max(pageSize, Math.min(200, last)));
  first.slice(last).forEach((record) => {
    if (record.endTime !== null) seen.set(record.id, record.status);
  });
  printMessage(io, `Following executions of ${agent}. Press Ctrl-C to stop.`);
  for await (const records of pollRecords(session, agent, { first, interval, io })) {
    for (const record of records.toReversed()) {
      if (seen.get(record.id) === record.status) continue;
      seen.set(record.id, record.status);
      if (input.json) printJsonLine(io, record);
      else io.stdout.write(`${toLine(record, io)}\n`);
    }
  }
};

async function* pollRecords(
  session: Session,
  agent: string,
  { first, interval, io }: { first: ExecutionRecord[]; interval: number; io: Io },
): AsyncGenerator<ExecutionRecord[]> {
  yield first;
  for await (const _ of everyFewSeconds(interval, io.interrupt()))
    yield newest(session, agent, pageSize);
}

const newest = async ({ client, tenant }: Session, agent: string, size: number) => {
  const query = { PageSize: size };
  const { items } = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records", {
      params: { path: { tenant, agent }, query },
    }),
  );
  return items;
};

const toLine = (record: ExecutionRecord, io: Io): string => {
  const style = createStyle(io.stdout, io);
  const { status, startTime, endTime } = record;
  const paint = { Succeeded: style.green, Failed: style.red, TimedOut: style.red };
  const inColour = status in paint ? paint[status as keyof typeof paint] : style.yellow;
  const facts = [
    showTime(startTime),
    printable(record.id),
    inColour(printable(status)),
    ...(endTime === null
      ? []
      : [showDuration(endTime - startTime), showCost(record.totalCost, record.priced)]),
    ...(record.errorType === null ? [] : [printable(record.errorType)]),
  ];
  return facts.join("  ");
};
