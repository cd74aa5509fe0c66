const factor = Number(process.env.PATIENCE ?? 1);

/** Milliseconds to wait on this machine: `PATIENCE` times those of a machine that starts the product in seconds. */
export const scaleWait = (ms: number): number => ms * factor;
