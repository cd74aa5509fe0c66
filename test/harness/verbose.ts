/** Whether tests print the logs of the code under test, also of failures that they provoke. */
export const isVerbose = process.env.VERBOSE_LOGS === "true";

/** Environment in which the code under test prints neither logs nor metrics. */
export const quiet: Readonly<Record<string, string>> = isVerbose
  ? {}
  : { AWS_LAMBDA_LOG_LEVEL: "FATAL", POWERTOOLS_METRICS_DISABLED: "true" };
