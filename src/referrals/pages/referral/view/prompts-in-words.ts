import { mentionsCrisis } from '../../../../library/index.ts';
import {
  type PromptKind,
  promptWords,
  remedyForColleague,
  riskAtEnd,
  riskOfWithdrawn,
  riskWhileRestricted,
} from '../../../model/attention/prompts.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { unsuccessfulStatuses } from '../../../model/status/state-machine.ts';
import type { FullReferral } from './full-referral.ts';

/** How the page asks what was done, for the prompts that are not dismissed without it. */
const whatWasDoneFields: { readonly [Kind in PromptKind]?: { button: string; label: string; hint: string } } =
  {
    'alarming-answer': {
      button: 'Say what was done',
      label: 'What was done about the answer',
      hint: 'For example: rang the person, who is safe; told their GP. Both organisations read this.',
    },
    'risk-to-act-on': {
      button: 'Say who has acted',
      label: 'Who has acted, and what they did',
      hint: 'For example: rang the service, which sees her today; told adult social care. Both organisations read this.',
    },
  };

/** Prompts whose reader rings the service, on the number in the library. */
const promptsToRing: readonly PromptKind[] = ['risk-to-act-on', 'service-asks-to-ring'];

export function promptsInWords({
  presented,
  sides,
  serviceTelephone,
  isServiceHidden,
  crisisPhrases,
}: FullReferral) {
  return presented.prompts.map((prompt) => ({
    ...prompt,
    ...promptWords[prompt.kind],
    ...(isServiceHidden && { remedy: remedyForColleague(prompt.kind) }),
    ...(prompt.kind === 'person-not-helped' &&
      hasSaidHelped(presented) && {
        what: 'the person says that they did not get help, and then said that they got help: contact them in the way that is safe, to make sure that it was them',
      }),
    ...(prompt.kind === 'risk-to-act-on' && riskRemedy(presented, crisisPhrases)),
    isWorryingAnswer: prompt.kind === 'alarming-answer',
    lookedAfterBy: lookedAfterBy(prompt),
    // The side that the prompt is for can neither read nor change a restricted referral. What it does about a risk has words of its own.
    isBlocked: presented.restricted && prompt.side !== 'operators' && prompt.kind !== 'risk-to-act-on',
    serviceTelephone:
      promptsToRing.includes(prompt.kind) && presented.status !== 'entered-in-error'
        ? serviceTelephone
        : undefined,
    whatWasDone: whatWasDoneFields[prompt.kind],
    // A death is settled by its own buttons.
    mayDismiss:
      prompt.kind !== 'death-reported' &&
      !presented.restricted &&
      (sides.length === 0 || sides.some((side) => side === prompt.side)),
  }));
}

/** The form further down that the panel’s button leads to: what nobody can dismiss without saying what was done. */
export function promptToAnswer(
  prompts: ReturnType<typeof promptsInWords>,
): { href: string; button: string } | undefined {
  const found = prompts.find(({ mayDismiss, whatWasDone }) => mayDismiss && whatWasDone);
  return found && { href: `#prompt-${found.id}`, button: found.whatWasDone!.button };
}

function riskRemedy(presented: PresentedReferral, crisisPhrases: FullReferral['crisisPhrases']) {
  const { restricted, status, status_reason: reason } = presented;
  if (restricted) return { remedy: riskWhileRestricted };
  if (status === 'entered-in-error') return { remedy: riskOfWithdrawn };
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const hasEnded = ['completed', ...unsuccessfulStatuses].includes(status);
  const isAtEnd =
    hasEnded && [reason, outcome].some((each) => each && mentionsCrisis(each.text, crisisPhrases));
  return isAtEnd ? { remedy: riskAtEnd } : {};
}

function lookedAfterBy({ owner, side }: PresentedReferral['prompts'][number]): string {
  if (owner) return `${owner.name} is responsible for this`;
  return side === 'operators'
    ? 'The operators are responsible for this'
    : 'Nobody at the organisation can sign in now, so the operators are responsible for this';
}

/** Whether the person said last that they got help. */
function hasSaidHelped(presented: PresentedReferral): boolean {
  return 'person_page' in presented && presented.person_page?.got_help === true;
}
