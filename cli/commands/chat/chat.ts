import { createInterface } from "node:readline/promises";
import type { ExecutionDetail, ExecutionResult } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { GlobalInput } from "../../command.ts";
import { readDeclaredInputs } from "../../inputs/declared-inputs.ts";
import type { Io } from "../../io.ts";
import { printJsonLine, printMessage, printValue } from "../../output.ts";
import { printableText } from "../../printable.ts";
import { canAsk } from "../../prompt.ts";
import { openSession, type Session } from "../../session.ts";
import { runStreamed } from "../run/run-streamed.ts";

type Input = GlobalInput & {
  agent: string;
  session: string | undefined;
  endUser: string | undefined;
};

/** Runs `wharf chat`. */
export const chatWithAgent = async (options: Input, io: Io): Promise<void> => {
  const { agent, endUser, json } = options;
  const session = await openSession(options, io);
  const name = await findInput(session, agent);
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const ask = () => {
    if (canAsk(io)) io.stderr.write("> ");
  };
  let id = options.session;
  ask();
  for await (const line of lines) {
    if (line.trim() !== "") {
      const body = {
        input: { [name]: line },
        session: {
          ...(id !== undefined && { id }),
          ...(endUser !== undefined && { endUserId: endUser }),
        },
      };
      const { execution, shown } = await runStreamed(session, { agent, body }, { json }, io);
      if (id === undefined && execution.session) {
        id = execution.session.id;
        printMessage(io, `Session ${id}`);
      }
      show(execution, { ...options, shown, id }, io);
    }
    ask();
  }
};

const show = (
  execution: ExecutionResult | ExecutionDetail,
  { json, shown, id }: GlobalInput & { shown: string; id: string | undefined },
  io: Io,
): void => {
  const { output, status } = execution;
  const error = "error" in execution ? execution.error : null;
  const executionId = "executionId" in execution ? execution.executionId : execution.id;
  if (json) printJsonLine(io, { session: id ?? null, executionId, output });
  else if (status !== "Succeeded") {
    printMessage(io, `${status}: ${printableText(error?.detail ?? "no output")}`);
  } else if (output !== shown) printValue(io, output);
};

/** Returns the name of the input that receives the messages. */
const findInput = async (session: Session, agent: string): Promise<string> => {
  const declared = await readDeclaredInputs(session, agent).catch((error: unknown) => {
    if (error instanceof ProblemError) return undefined;
    throw error;
  });
  const texts = (declared ?? []).filter(({ type }) => type === "String").map((one) => one.name);
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 && !texts.includes("message") ? only : "message";
};
