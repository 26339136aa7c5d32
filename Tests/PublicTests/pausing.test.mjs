import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Public/relist/client.js';

const snapshot = (version) => ({ kind: 'snapshot', screen: 's', version, layout: 'list', sections: [] });
const changeset = (from, version, ...stages) => ({ kind: 'changeset', screen: 's', from, version, stages });
const event = (document) => `event: ${document.kind}\ndata: ${JSON.stringify(document)}\n\n`;
const streamOf = (...documents) => new Response(documents.map(event).join(''), { headers: { 'Content-Type': 'text/event-stream' } });

/**
 * Follows a screen until the client has sent a number of requests.
 *
 * @param answer returns the response to a request. It receives a Boolean value that indicates whether the request opens a stream, and the
 *   number of earlier requests.
 * @returns the number of pauses between the requests
 */
function pausesWithin(count, answer) {
  let [requests, pauses] = [0, 0];
  return new Promise((resolve) => {
    const client = new Client({
      live: true,
      schedule: (_, wake) => {
        pauses += 1;
        setImmediate(wake);
      },
      fetch: async (_, { headers }) => {
        requests += 1;
        if (requests === count) {
          client.close();
          resolve(pauses);
        }
        return answer(headers.Accept === 'text/event-stream', requests);
      },
    });
    client.show('s');
  });
}

test('the client pauses after each poll that returns a snapshot at once', async () => {
  const pauses = await pausesWithin(30, (isStream, index) => (isStream ? streamOf() : new Response(JSON.stringify(snapshot(`v${index}`)))));
  assert.equal(pauses, 28);
});

test('the client pauses between streams that each end with a changeset that cannot be applied', async () => {
  const misfit = changeset('v2', 'v3', { deleteCells: [[0, 0, 1]] });
  const pauses = await pausesWithin(30, (isStream) => (
    isStream ? streamOf(changeset('v1', 'v2'), misfit) : new Response(JSON.stringify(snapshot('v1')))));
  assert.equal(pauses, 13);
});
