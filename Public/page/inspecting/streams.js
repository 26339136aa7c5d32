/** The clients whose last stream failed, by their functions for reports. */
const broken = new WeakSet();

/** Matches the name of an event that shows that a stream works. */
const firstEvent = /^event: ?(current|changeset|snapshot)\r?\n/m;

/**
 * Wraps a `fetch` and reports event streams that could not be opened, or that ended while the client needed them, and the first event of the
 * stream that works again. The client reports all other exchanges.
 *
 * @param {typeof fetch} send
 * @param {(exchange: import('../../relist/client.js').Exchange & {isStream: true, first?: string}) => void} onReport the status is 0 without
 *   a response; `first` is the name of the first event after a failure
 */
export function watchStreams(send, onReport) {
  return async (url, options = {}) => {
    const { Authorization: _, ...headers } = options.headers ?? {};
    if (headers.Accept !== 'text/event-stream') return send(url, options);
    const exchange = { method: 'GET', path: url, url, headers, isStream: true, text: '', milliseconds: 0 };
    const fail = (status) => {
      if (options.signal?.aborted) return;
      broken.add(onReport);
      onReport({ ...exchange, status });
    };
    const response = await send(url, options).catch((error) => {
      fail(0);
      throw error;
    });
    const { status } = response;
    if (!response.ok || !response.body) return response;
    return watched(response, () => fail(status), (first) => broken.delete(onReport) && onReport({ ...exchange, status, first }));
  };
}

/** Returns the response. Calls a function when its body ends or fails, and another one with the name of its first event. */
function watched({ status, statusText, headers, body }, onEnd, onFirst) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const note = (value) => {
    text += decoder.decode(value, { stream: true });
    const [, first] = firstEvent.exec(text) ?? [];
    if (first === undefined) return;
    text = undefined;
    onFirst(first);
  };
  const stream = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          if (text !== undefined) note(value);
          return controller.enqueue(value);
        }
        onEnd();
        return controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, statusText, headers });
}
