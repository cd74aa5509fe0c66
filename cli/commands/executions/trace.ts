import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import { waterfall } from "../../executions/waterfall.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";
import { createStyle } from "../../style.ts";

type Input = GlobalInput & { agent: string; execution: string };

/** Runs `wharf executions trace`. */
export const traceExecution = async (input: Input, io: Io): Promise<void> => {
  const { agent, execution: executionRecord } = input;
  const { client, tenant } = await openSession(input, io);
  const trace = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/trace", {
      params: { path: { tenant, agent, executionRecord } },
    }),
  );
  if (input.json) return printJson(io, trace);
  if (trace.spans.length === 0) return printMessage(io, "The trace has no spans.");
  const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 120;
  const lines = waterfall(trace.spans, columns, createStyle(io.stdout, io));
  io.stdout.write(`${lines.join("\n")}\n`);
};
