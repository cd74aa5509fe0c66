/** Id of the built-in provider, which calls no other system. */
export const echoProvider = "echo";
