import { expect, test } from 'vitest';
import { actingChannel as channel } from '../../../test/delivery/stage.ts';
import type { Channels } from '../channels/deps.ts';
import { chooseChannel } from './choose-channel.ts';

const channels: Channels = {
  live: [channel('inbox'), channel('document')],
  capturing: ({ name }) => channel(`sink for ${name}`),
};

function choose(
  mode: 'test' | 'live',
  wanted: string[],
  given: Partial<Parameters<typeof chooseChannel>[2]> = {},
) {
  const queued = { status: 'queued', channel: null, chosenChannel: null } as const;
  return chooseChannel(channels, mode, { ...queued, simulated: false, refusedBy: [], ...given }, wanted)
    ?.name;
}

test('a live site takes the first channel that is wanted', () => {
  expect(choose('live', ['document', 'inbox'])).toBe('document');
});

test('the next one is taken where one is not there or has refused', () => {
  expect(choose('live', ['pigeon', 'document'])).toBe('document');
  expect(choose('live', ['inbox', 'document'], { refusedBy: ['inbox'] })).toBe('document');
});

test('what an operator chose counts in the place of what the receiver wants', () => {
  expect(choose('live', ['inbox'], { chosenChannel: 'document' })).toBe('document');
  expect(choose('live', ['inbox'], { chosenChannel: 'document', refusedBy: ['document'] })).toBeUndefined();
});

test.each(['uncertain', 'sending'] as const)('what is %s is sent by no other channel', (status) => {
  expect(choose('live', ['inbox', 'document'], { status, channel: 'document' })).toBe('document');
  expect(choose('live', ['inbox'], { status, channel: 'pigeon' })).toBeUndefined();
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
