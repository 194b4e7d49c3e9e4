import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../platform/settings/index.ts';
import type { PromptKind } from '../attention/prompts.ts';
import { mustTelephoneFirst, whoseTurn } from './whose-turn.ts';

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

describe('the kind of a turn', () => {
  const state: Parameters<typeof whoseTurn>[1] = {
    status: 'requested',
    status_reason: null,
    rerouted_to: null,
    referred_again: false,
    service_id: '3f1c9c1e-0d2e-4b0a-9a57-0a4a5d1c7e11',
    service: { name: 'Stride for Life', organization_id: null, organization_name: null },
    restricted: false,
    erased_at: null,
    requested_at: '2026-11-02T09:00:00Z',
    death_reported: null,
    urgency: 'routine',
    first_contact_at: null,
    seen_to: null,
    prompts: [],
    seen: null,
    gp_practice: null,
    deliveries: [],
  };
  const kindFor = (side: 'referrer' | 'provider', changes: Partial<typeof state>) =>
    whoseTurn(readSettings({}), { ...state, ...changes }, [side], new Date('2026-11-03T09:00:00Z')).kind;

  it.each([
    ['requested', 'wait', 'answer'],
    ['accepted', 'wait', 'contact'],
    ['rejected', 'another-service', 'nothing'],
    ['completed', 'nothing', 'nothing'],
  ] as const)('differs by side for a referral that is %s', (status, referrer, provider) => {
    expect(kindFor('referrer', { status })).toBe(referrer);
    expect(kindFor('provider', { status })).toBe(provider);
  });
});
