/** Whether tests print the logs of the code under test, also of failures that they provoke. */
export const isVerbose = process.env.VERBOSE_LOGS === "true";
