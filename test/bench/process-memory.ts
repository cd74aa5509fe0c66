import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns the resident memory of this process and all below it, in MB, as `ps` reports it. */
export const processMemory = async (): Promise<number> => {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,rss="]);
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, kilobytes };
    });
  const below = Map.groupBy(processes, ({ parent }) => parent);
  const own = processes.filter(({ pid }) => pid === process.pid);
  let sum = 0;
  for (let child = own.pop(); child; child = own.pop()) {
    sum += child.kilobytes;
    own.push(...(below.get(child.pid) ?? []));
  }
  return sum / 1_024;
};
