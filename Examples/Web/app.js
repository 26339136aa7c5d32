import { Client } from './relist/client.js';
import { ListView, register, setParts } from './relist/render.js';

register('field', {
  configure: (element, { label, value, placeholder }) => setParts(element, { title: `${label}:`, value: value || placeholder }),
});
const list = new ListView(document.querySelector('#list'), {
  scroller: document.querySelector('#scroll'),
  href: () => undefined,
  onSelect: ({ action }) => action && client.perform(action.name, action.input),
});
const client = new Client({
  live: true,
  onDocument: ({ outcome, after, steps }) => {
    if (outcome === 'apply') list.play({ snapshot: after, steps });
    if (outcome === 'replace') list.render(after);
  },
});
await client.show('settings');
