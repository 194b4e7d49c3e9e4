import { describe, expect, it } from 'vitest';
import { stubChannel as channel } from '../../../test/delivery/fixture.ts';
import type { Channels } from '../channels/deps.ts';
import { chooseChannel } from './choose-channel.ts';

const channels: Channels = {
  outgoing: [channel('inbox'), channel('document')],
  capturing: ({ name }) => channel(`outbox for ${name}`),
};

function choose(
  mode: 'test' | 'live',
  wanted: string[],
  given: Partial<Parameters<typeof chooseChannel>[2]> = {},
) {
  const queued = { status: 'queued', channel: null, chosenChannel: null } as const;
  return chooseChannel(channels, mode, { ...queued, simulated: false, givenUpBy: [], ...given }, wanted)
    ?.name;
}

describe('the channel of a delivery', () => {
  it('is the first one that the receiver wants, on a live site', () => {
    expect(choose('live', ['document', 'inbox'])).toBe('document');
  });

  it('is the next one after a missing one or a refusal', () => {
    expect(choose('live', ['pigeon', 'document'])).toBe('document');
    expect(choose('live', ['inbox', 'document'], { givenUpBy: ['inbox'] })).toBe('document');
  });

  it('is the one that an operator chose', () => {
    expect(choose('live', ['inbox'], { chosenChannel: 'document' })).toBe('document');
    expect(choose('live', ['inbox'], { chosenChannel: 'document', givenUpBy: ['document'] })).toBeUndefined();
  });

  it.each(['uncertain', 'sending'] as const)('stays the same while it is %s', (status) => {
    expect(choose('live', ['inbox', 'document'], { status, channel: 'document' })).toBe('document');
    expect(choose('live', ['inbox'], { status, channel: 'pigeon' })).toBeUndefined();
  });

  it('is none after all have refused, or when none is known', () => {
    expect(choose('live', ['inbox'], { givenUpBy: ['inbox'] })).toBeUndefined();
    expect(choose('live', ['pigeon'])).toBeUndefined();
    expect(choose('test', [])).toBeUndefined();
  });

  it('captures on a test site what it would send on a live one', () => {
    expect(choose('test', ['document', 'inbox'])).toBe('outbox for document');
    expect(choose('test', ['inbox', 'document'], { givenUpBy: ['inbox'] })).toBe('outbox for document');
  });

  it('captures messages about made-up patients on a live site too', () => {
    expect(choose('live', ['document'], { simulated: true })).toBe('outbox for document');
  });
});
