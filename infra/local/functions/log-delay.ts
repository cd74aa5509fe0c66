/** Time after which a function's thread writes its log, which collects lines until then. */
export const logDelayMilliseconds = 200;
