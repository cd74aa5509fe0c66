/** Returns the response with callbacks for the end of its body: complete, or interrupted with an error. */
export const watchBody = (
  response: Response,
  { onEnd, onError }: { onEnd: () => void; onError: (error: unknown) => void },
): Response => {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          onEnd();
        } catch (error) {
          controller.error(error);
          onError(error);
        }
      },
      cancel: async (reason) => {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};
