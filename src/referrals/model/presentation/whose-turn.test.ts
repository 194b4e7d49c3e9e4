import { describe, expect, it } from 'vitest';
import type { PromptKind } from '../attention/prompts.ts';
import { mustTelephoneFirst } from './whose-turn.ts';

const unopened = { status: 'requested', isUnseenLate: true } as const;
const withPrompts = (...kinds: PromptKind[]) => ({ ...unopened, prompts: kinds.map((kind) => ({ kind })) });

describe('an urgent referral that nobody at the service has opened', () => {
  it.each([
    ['nothing else', withPrompts()],
    ['a practice that has closed', withPrompts('practice-closed')],
    ['a number that the practice does not know', withPrompts('nhs-number-not-recognised')],
  ])('comes before %s', (_, state) => {
    expect(mustTelephoneFirst(state, ['referrer'])).toBe(true);
    expect(mustTelephoneFirst(state, []), 'for operators').toBe(true);
    expect(mustTelephoneFirst(state, ['provider']), 'who can open it themselves').toBe(false);
  });

  it.each([
    ['a risk to act on', 'risk-to-act-on'],
    ['a person who may have died', 'may-have-died'],
    ['a service that has closed', 'service-closed'],
  ] as const)('comes after %s', (_, kind) => {
    expect(mustTelephoneFirst(withPrompts(kind), ['referrer'])).toBe(false);
  });

  it('says so no more once it has ended, or somebody has opened it', () => {
    expect(mustTelephoneFirst({ ...withPrompts(), status: 'cancelled' }, ['referrer'])).toBe(false);
    expect(mustTelephoneFirst({ ...withPrompts(), isUnseenLate: false }, ['referrer'])).toBe(false);
  });
});
