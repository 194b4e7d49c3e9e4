import type { Caller } from '../../accounts/index.ts';
import { visibilityOf } from './access/access.ts';
import type { Side } from './state-machine.ts';

/** What an open referral relied on and has lost. */
export const promptKinds = [
  'service-closed',
  'service-moved',
  'practice-closed',
  'referrer-left',
  'staff-left',
] as const;

export type PromptKind = (typeof promptKinds)[number];

/** Asks a person to look after an open referral that has lost something it relied on, until they have dealt with it. */
export type Prompt = {
  id: string;
  referralId: string;
  kind: PromptKind;
  /** The side that looks after it. */
  side: Side;
  /** The person who looks after it; null for the operators. */
  ownerName: string | null;
  madeAt: Date;
};

/** The prompts that a caller sees: those of their own sides, and for an operator all. */
export function promptsFor(caller: Caller, sides: readonly Side[], prompts: readonly Prompt[]): Prompt[] {
  if (visibilityOf(caller).everything) return [...prompts];
  return prompts.filter(({ side }) => sides.includes(side));
}

export function presentPrompt({ id, kind, side, ownerName, madeAt }: Prompt) {
  return {
    id,
    kind,
    side,
    owner: ownerName === null ? null : { name: ownerName },
    since: madeAt.toISOString(),
  };
}

export type PresentedPrompt = ReturnType<typeof presentPrompt>;

type Words = {
  /** What has happened. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
};

export const promptWords: Readonly<Record<PromptKind, Words>> = {
  'service-closed': {
    what: 'the service has closed, or is closed for now',
    remedy:
      'Ask the service what becomes of the person. If it cannot help them, cancel this referral and refer them to another service.',
  },
  'service-moved': {
    what: 'another organisation runs the service now',
    remedy:
      'Its staff cannot see this referral. Ask which of the two organisations helps the person. If it is the new one, cancel this referral and make it again.',
  },
  'practice-closed': {
    what: 'the GP practice has closed',
    remedy: 'Ask the person which practice they have now, and correct the details.',
  },
  'referrer-left': {
    what: 'the person who made the referral has left',
    remedy:
      'Make sure that somebody of your organisation knows the person and reads what the service writes.',
  },
  'staff-left': {
    what: 'the person of the service who looked after it has left',
    remedy:
      'Make sure that somebody of the service knows the person, and that what was agreed with them happens.',
  },
};
