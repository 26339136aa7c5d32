/**
 * Wraps a `fetch` and reports event streams that could not be opened, or that ended while the client needed them. The client reports all
 * other exchanges.
 *
 * @param {typeof fetch} send
 * @param {(exchange: import('../../relist/client.js').Exchange & {isStream: true}) => void} onFailure the status is 0 without a response
 */
export function watchStreams(send, onFailure) {
  return async (url, options = {}) => {
    const { Authorization: _, ...headers } = options.headers ?? {};
    if (headers.Accept !== 'text/event-stream') return send(url, options);
    const exchange = { method: 'GET', path: url, url, headers, isStream: true, text: '', milliseconds: 0 };
    const report = (status) => {
      if (!options.signal?.aborted) onFailure({ ...exchange, status });
    };
    const response = await send(url, options).catch((error) => {
      report(0);
      throw error;
    });
    return response.ok && response.body ? withEnd(response, () => report(response.status)) : response;
  };
}

/** Returns the response. Calls a function when its body ends or fails. */
function withEnd({ status, statusText, headers, body }, onEnd) {
  const reader = body.getReader();
  const watched = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        return controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(watched, { status, statusText, headers });
}
