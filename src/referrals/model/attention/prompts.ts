import type { Caller } from '../../../accounts/index.ts';
import { visibilityOf } from '../access/sides.ts';
import type { Side } from '../status/state-machine.ts';

/**
 * What a referral relied on and has lost, or what somebody has to look into. A new kind needs a migration that adds its row
 * to referral_prompt_kinds.
 */
export const promptKinds = [
  'service-closed',
  'service-stopped',
  'service-moved',
  'service-sensitive',
  'practice-closed',
  'referrer-left',
  'staff-left',
  'nobody-left',
  'may-have-died',
  'death-reported',
  'draft-waiting',
  'person-wants-to-stop',
  'person-not-helped',
  'alarming-answer',
  'end-measure-due',
  'service-asks-to-ring',
  'service-not-told',
  'nhs-number-not-recognised',
  'not-their-patient',
  'practice-missing',
  'risk-to-act-on',
] as const;

/** They do not end with the referral: the person still waits for a call, or is still to be asked something. */
const lastingPromptKinds: readonly PromptKind[] = [
  'person-not-helped',
  'alarming-answer',
  'end-measure-due',
  'nhs-number-not-recognised',
  'not-their-patient',
  'practice-missing',
  'risk-to-act-on',
];

/** The other kinds end with the referral, and once somebody has dealt with its end. */
export const promptKindsUntilEnd: readonly PromptKind[] = promptKinds.filter(
  (kind) => !lastingPromptKinds.includes(kind),
);

/** They are about papers, and wait while nobody at the service has opened an urgent referral. */
export const promptKindsThatCanWait: readonly PromptKind[] = [
  'practice-closed',
  'practice-missing',
  'not-their-patient',
  'nhs-number-not-recognised',
  'end-measure-due',
];

/** What neither side can look after, or may know of, is left to the operators. */
export const promptSides = ['provider', 'referrer', 'operators'] as const;
export type PromptSide = (typeof promptSides)[number];

export type PromptKind = (typeof promptKinds)[number];

/** Asks somebody to act on a referral, until they have dealt with it: `promptKinds` lists for what. */
export type Prompt = {
  id: string;
  referralId: string;
  kind: PromptKind;
  /** Who looks after it. */
  side: PromptSide;
  /** The account of the person who looks after it; null for the operators. */
  ownerId: string | null;
  ownerName: string | null;
  madeAt: Date;
  /** The day in London by which somebody must have acted; null where no day was set. */
  dueOn: string | null;
};

/** The referrer’s side sees these, although operators deal with them. */
export const promptKindsShownToReferrer: readonly PromptKind[] = ['nobody-left'];

/** The prompts that a caller sees. */
export function promptsFor(caller: Caller, sides: readonly Side[], prompts: readonly Prompt[]): Prompt[] {
  return prompts.filter(
    (prompt) =>
      mayDismiss(caller, sides, prompt) ||
      (promptKindsShownToReferrer.includes(prompt.kind) && sides.includes('referrer')),
  );
}

/** People dismiss the prompts of their own side, and operators any. */
export function mayDismiss(caller: Caller, sides: readonly Side[], { side }: Pick<Prompt, 'side'>): boolean {
  return visibilityOf(caller).allSentReferrals || sides.some((each) => each === side);
}

export function presentPrompt({ id, kind, side, ownerName, madeAt, dueOn }: Prompt) {
  return {
    id,
    kind,
    side,
    owner: ownerName === null ? null : { name: ownerName },
    since: madeAt.toISOString(),
    due_on: dueOn,
  };
}

/** Whether nobody has confirmed yet that somebody acted on what a referral tells of. */
export function hasOpenRisk({ prompts }: { prompts: readonly Pick<Prompt, 'kind'>[] }): boolean {
  return prompts.some(({ kind }) => kind === 'risk-to-act-on');
}

export type PresentedPrompt = ReturnType<typeof presentPrompt>;

type PromptWords = {
  /** What has happened. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The same for a reader who is not shown how it is safe to contact the person, because the service is hidden from them. */
  readonly remedyForColleague?: string;
};

/** What to do, with how to reach the person: for a reader who is shown how that is safe, and for one who is not. */
function remedies(remedy: (howToContact: string) => string, safely: string, afterAsking: string) {
  return { remedy: remedy(safely), remedyForColleague: remedy(afterAsking) };
}
const contactSafely = [
  'Contact them in the way that is safe,',
  'Ask who referred them how to contact them, and do so',
] as const;
const speakSafely = [
  'Speak with them in a way that is safe:',
  'Ask who referred them how to contact them, and then speak with them:',
] as const;

/** What to do, for a reader from whom the service is hidden. */
export function remedyForColleague(kind: PromptKind): string {
  return promptWords[kind].remedyForColleague ?? promptWords[kind].remedy;
}

/** The remedy of `risk-to-act-on` while the referral is restricted: nobody of the service can read it, and it is confirmed later. */
export const riskWhileRestricted =
  'The referral tells of a risk, has words of a crisis, or says that contact is not safe. It is restricted, so nobody at the service can read it. Ring the service, or those who were told of the risk, and ask what they have done. If anybody is in danger now, call 999. You can confirm it here when the restriction is lifted.';

/** The remedy of `risk-to-act-on` once the referral was marked as sent by mistake: no service acts on it any more. */
export const riskOfWithdrawn =
  'The referral was sent by mistake, so no service acts on it. If the risk is real, for this person or another one, make sure that somebody acts: refer them again, or ring those who were told of it. If anybody is in danger now, call 999. If nobody was at risk, or another referral tells of it, say so here.';

/** The remedy of `risk-to-act-on` where what the service wrote at the end tells of it. */
export const riskAtEnd =
  'What was written when the referral ended may tell of somebody in danger, and the service may not look after the person any more. Read it. Ring the service, ask what has been done, and make sure that somebody acts. If anybody is in danger now, call 999. Then confirm it here.';

export const promptWords: Readonly<Record<PromptKind, PromptWords>> = {
  'service-closed': {
    what: 'the service has closed, or is closed for now',
    remedy:
      'Ask the service what becomes of the person. If it cannot help them, cancel this referral and refer them to another service.',
  },
  'service-stopped': {
    what: 'the service takes no more referrals on this site',
    remedy:
      'Ask the service whether it still helps this person. If it does not, cancel this referral and refer them to another service.',
  },
  'service-moved': {
    what: 'another organisation runs the service now',
    remedy:
      'Its staff cannot see this referral. Ask which of the two organisations helps the person. If it is the new one, cancel this referral and make it again.',
  },
  'service-sensitive': {
    what: 'the service is marked as sensitive now, and was not when the person was referred',
    ...remedies(
      (contact) =>
        `Nobody told the person that it is. ${contact} ask how to contact them, and whether their GP practice may still be told. If they want less told, record that their agreement has changed. Letters that the practice already has name the service.`,
      ...speakSafely,
    ),
  },
  'practice-closed': {
    what: 'the GP practice has closed',
    remedy: 'Ask the person which practice they have now, and correct the details.',
  },
  'referrer-left': {
    what: 'the person who made the referral has left',
    remedy:
      'Make sure that somebody in your organisation knows the person and reads what the service writes.',
  },
  'staff-left': {
    what: 'the person at the service who was responsible for it has left',
    remedy:
      'Make sure that somebody at the service knows the person, and that what was agreed with them happens.',
  },
  'nobody-left': {
    what: 'nobody at the service can answer',
    remedy:
      'None of its staff can sign in. The operators are asking the organisation who is responsible for it now. If the person cannot wait, the referrer can cancel this referral and refer them to another service.',
  },
  'may-have-died': {
    what: 'the person may have died',
    remedy:
      'Somebody told this site so about another referral. Check before anybody contacts the person or their family: ask their GP practice, or those who look after the other referral. If it is true, say here that the person has died. Do not tell one organisation about another’s referral.',
  },
  'death-reported': {
    what: 'the person is said to have died',
    remedy:
      'Find out whether it is true: ask their GP practice, or those who reported it if you know them. Then confirm it here. If they are alive, say so here, or tell the operators if you cannot. Until then nothing is sent about this referral.',
  },
  'draft-waiting': {
    what: 'the referral was not sent',
    remedy:
      'Nobody knows of it yet. Complete and send it, or throw it away if the person does not need it. If its service takes no referrals now, refer the person to another one.',
  },
  'person-wants-to-stop': {
    what: 'the person says that they no longer want this',
    ...remedies(
      (contact) =>
        `They said so on their own page. ${contact} by the end of the next working day: somebody else may have pressed the button. If it is their wish, cancel the referral or record that their agreement has changed.`,
      ...contactSafely,
    ),
  },
  'person-not-helped': {
    what: 'the person says that they did not get help',
    ...remedies(
      (contact) =>
        `They said so on their own page. ${contact} by the end of the next working day, and find out what they need now. If they are in danger, call 999. Anybody can call NHS 111 and choose option 2 for urgent help with mental health.`,
      ...contactSafely,
    ),
  },
  'alarming-answer': {
    what: 'the person gave a worrying answer to a question about how they are',
    ...remedies(
      (contact) =>
        `${contact} by the end of the next working day, and find out what they need now. If they are in danger, call 999. Anybody can call NHS 111 and choose option 2 for urgent help with mental health.`,
      ...contactSafely,
    ),
  },
  'end-measure-due': {
    what: 'the end was not measured yet',
    remedy:
      'How the person is was measured for the start, and nobody has asked them since the support ended or has gone on for 90 days. Ask them the same questions under “Measures”, on the telephone or on paper.',
  },
  'service-asks-to-ring': {
    what: 'the service asks you to ring it',
    remedy:
      'It has no account. Its message says when. Ring the number in the library, or one that you know: anybody who has its email can have typed the number in the message.',
  },
  'service-not-told': {
    what: 'our message could not be delivered to the service',
    remedy:
      'Ring the service, because nobody there may know of the referral. Agree how it gets the details. The operators of this site are looking into it, too.',
  },
  'nhs-number-not-recognised': {
    what: 'the exchange did not recognise the NHS number',
    remedy:
      'A letter to the GP practice was refused. Check the NHS number, the name and the birth date with the person. If one of them is wrong, this may be about somebody else: mark the referral as sent by mistake and make it again. If they are right, tell the practice yourself where “Who has been told” says that it was not told.',
  },
  'not-their-patient': {
    what: 'the GP practice says that the person is not its patient',
    remedy:
      'It had the letter before it said so. Ask the person where they are registered and whether you may tell that practice, then correct the practice: it gets its own letter. If the person is with no practice, remove it. If the person does not know the practice at all, this may be about somebody else.',
  },
  'practice-missing': {
    what: 'the GP practice is not named',
    remedy:
      'The person agreed that their GP practice is told, and nothing was sent because it is not known. Ask the person which practice they are registered with, and name it: it gets its letter at once. If they have none, say here that you have dealt with this. If it must not be told after all, record that their agreement has changed.',
  },
  'risk-to-act-on': {
    what: 'somebody may come to harm, so confirm that somebody has acted',
    remedy:
      'The referral tells of a risk, has words of a crisis, or says that contact is not safe. The service may not read it for hours or days. Ring the service, or those who were told of the risk, and ask what they have done. If anybody is in danger now, call 999. Then confirm it here.',
  },
};
