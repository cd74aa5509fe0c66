/** What a function's thread is started with. */
export type FunctionThreadData = {
  /** Absolute path of the bundle. */
  file: string;
  /** Name of the handler's export. */
  handler: string;
  functionName: string;
  functionArn: string;
  memoryMegabytes: number;
  timeoutSeconds: number;
  logFile: string;
  /** Where compiled code is kept between starts. */
  compileCache: string;
};

/** One call. */
export type Invocation = { type: "invoke"; id: number; requestId: string; event: string };

/** What the thread is told. */
export type FunctionThreadOrder = Invocation | { type: "end" };

/** What the thread says. `payload` and `error` are JSON. */
export type FunctionThreadMessage =
  | { type: "ready" }
  | { type: "unloadable"; error: string }
  | { type: "result"; id: number; payload: string }
  | { type: "error"; id: number; error: string }
  | { type: "alarm"; line: string };
