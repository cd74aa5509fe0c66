import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

type Stack = DynamoDBDocumentClient["middlewareStack"];
type Configuration = DynamoDBDocumentClient["config"];
/** The members of a document client's command that `resolveMiddleware` of the SDK uses; the types declare them protected. */
type DocumentCommand = {
  addMarshallingMiddleware: (configuration: Configuration) => void;
  clientCommand: {
    resolveMiddleware: (stack: Stack, configuration: Configuration, options: undefined) => Handler;
  };
};
type Handler = (command: DocumentCommand["clientCommand"]) => Promise<{ output: unknown }>;

// By default, an object with a member named `constructor` is refused as an instance of a class.
const options = {
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
};

/**
 * Creates the document client of a client. It joins the middlewares once for each class of commands, which the SDK does
 * in every call; the SDK's setting `cacheMiddleware` does not support document clients. A context is therefore shared by
 * all calls of a class: no middleware may keep something of one call in it.
 */
export const createDocumentClient = (client: DynamoDBClient): DynamoDBDocumentClient => {
  const documents = DynamoDBDocumentClient.from(client, options);
  const handlers = new Map<unknown, Handler>();
  const join = (command: DocumentCommand): Handler => {
    command.addMarshallingMiddleware(documents.config);
    const handler = command.clientCommand.resolveMiddleware(
      documents.middlewareStack,
      documents.config,
      undefined,
    );
    handlers.set(command.constructor, handler);
    return handler;
  };
  const send = async (command: DocumentCommand): Promise<unknown> => {
    const handler = handlers.get(command.constructor) ?? join(command);
    return (await handler(command.clientCommand)).output;
  };
  return Object.assign(documents, { send });
};
