import type { Schedules } from "../../lib/agents/schedule/schedules.ts";
import type { ExecutionDeps } from "../../lib/executions/job/job.ts";
import type { Database } from "../../lib/platform/db/database.ts";

/** A call at which a function dies: the first one is 1. `isDone`: whether the call takes effect. */
export type Death = { at: number; isDone: boolean };

type MortalDeps = ExecutionDeps & { schedules: Schedules };

const reads: ReadonlySet<string> = new Set([
  "GetCommand",
  "QueryCommand",
  "BatchGetCommand",
  "TransactGetCommand",
  "ScanCommand",
]);

const never = <Value>(): Promise<Value> => new Promise(() => {});

/**
 * Functions of which one dies at a call that changes something: a write of the table or the bucket, a message or a
 * schedule. The call, and what the function does afterwards, has no end, as that of a killed process.
 */
export const mortalFunctions = ({ at, isDone }: Death) => {
  let calls = 0;
  let hasDied = false;
  /** Runs a function; returns false when it died. */
  const run = async (deps: MortalDeps, work: (own: MortalDeps) => Promise<unknown>) => {
    const death = Promise.withResolvers<"died">();
    let isDead = false;
    const read = async <Value>(call: () => Promise<Value>): Promise<Value> =>
      isDead ? never() : call().then((value) => (isDead ? never<Value>() : value));
    const change = async <Value>(call: () => Promise<Value>): Promise<Value> => {
      if (isDead) return never();
      calls += 1;
      if (calls !== at) return read(call);
      isDead = true;
      hasDied = true;
      if (isDone) await call().catch(() => undefined);
      death.resolve("died");
      return never();
    };
    const { objects, send, schedules } = deps;
    const outcome = await Promise.race([
      death.promise,
      work({
        ...deps,
        db: mortalDatabase(deps.db, (name, call) => (reads.has(name) ? read(call) : change(call))),
        objects: {
          ...objects,
          get: (key) => read(() => objects.get(key)),
          put: (key, body) => change(() => objects.put(key, body)),
        },
        send: (...message) => change(() => send(...message)),
        schedules: {
          put: (...schedule) => change(() => schedules.put(...schedule)),
          remove: (name) => change(() => schedules.remove(name)),
        },
      }),
    ]);
    return outcome !== "died";
  };
  return { run, hasDied: () => hasDied };
};

type Call = () => Promise<unknown>;

const mortalDatabase = (
  db: Database,
  through: (command: string, call: Call) => Promise<unknown>,
): Database => ({
  ...db,
  client: new Proxy(db.client, {
    get: (client, name) =>
      name === "send"
        ? (command: Parameters<typeof client.send>[0]) =>
            through(command.constructor.name, () => client.send(command))
        : Reflect.get(client, name),
  }),
});
