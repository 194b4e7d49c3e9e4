import { expect, test } from 'vitest';
import type { Channel } from './channels/channel.ts';
import type { Channels } from './channels/index.ts';
import { chooseChannel } from './choose-channel.ts';

const channel = (name: string): Channel => ({ name, send: async () => ({ status: 'sent', detail: '' }) });
const channels: Channels = {
  live: [channel('inbox'), channel('document')],
  sinkFor: ({ name }) => channel(`sink for ${name}`),
};

function choose(
  mode: 'test' | 'live',
  wanted: string[],
  given: { simulated?: boolean; refusedBy?: string[] } = {},
) {
  return chooseChannel(channels, mode, { simulated: false, refusedBy: [], ...given }, wanted)?.name;
}

test('a live site takes the first channel that is wanted', () => {
  expect(choose('live', ['document', 'inbox'])).toBe('document');
});

test('the next one is taken where one is not there or has refused', () => {
  expect(choose('live', ['pigeon', 'document'])).toBe('document');
  expect(choose('live', ['inbox', 'document'], { refusedBy: ['inbox'] })).toBe('document');
});

test('there is none where all have refused or none is known', () => {
  expect(choose('live', ['inbox'], { refusedBy: ['inbox'] })).toBeUndefined();
  expect(choose('live', ['pigeon'])).toBeUndefined();
  expect(choose('test', [])).toBeUndefined();
});

test('a test site takes the sink, in the place of the channel that a live site would take', () => {
  expect(choose('test', ['document', 'inbox'])).toBe('sink for document');
  expect(choose('test', ['inbox', 'document'], { refusedBy: ['inbox'] })).toBe('sink for document');
});

test('a made-up patient of a test site is never let out, not by a live site either', () => {
  expect(choose('live', ['document'], { simulated: true })).toBe('sink for document');
});
