import { useMay } from "./permissions.ts";

/** Reports whether the user may start experiments, which write results and run agents. */
export const useMayStart = (): boolean => {
  const may = useMay();
  return may("datasets:write") && may("agents:test");
};
