import type { PromptKind, PromptSide } from '../../model/attention/prompts.ts';
import { mustTelephoneFirst, needsAnotherService } from '../../model/presentation/whose-turn.ts';
import { openStatuses, type ReferralStatus } from '../../model/referral.ts';
import type { Side } from '../../model/status/state-machine.ts';
import type { Moments } from './moments-store.ts';

/** What a prompt asks for, in two or three words. Where what to do depends on what somebody finds out, the page of the referral says it. */
const promptActions: { readonly [Kind in PromptKind]?: string } = {
  'service-moved': 'Ask who helps the person',
  'service-closed': 'Ask the service',
  'service-stopped': 'Ask the service',
  'practice-closed': 'Correct the practice',
  'draft-waiting': 'Finish the draft',
  'may-have-died': 'Find out about a death',
  'person-wants-to-stop': 'Contact the person',
  'person-not-helped': 'Contact the person',
  'alarming-answer': 'Read the worrying answer',
  'end-measure-due': 'Measure the end',
  'service-asks-to-ring': 'Ring the service',
  'service-not-told': 'Ring the service',
  'nhs-number-not-recognised': 'Check the NHS number',
  'not-their-patient': 'Correct the practice',
  'practice-missing': 'Name the GP practice',
  'risk-to-act-on': 'Say who has acted on the risk',
};

type State = {
  id: string;
  status: ReferralStatus;
  status_reason: { code: string } | null;
  restricted: boolean;
  erased_at: string | null;
  created_at: string;
  requested_at: string | null;
  death_reported: { at: string } | null;
  prompts: readonly { kind: PromptKind; side: PromptSide; since: string }[];
  hasQuestion: boolean;
  unread: number;
  newFiles: number;
  isUnseenLate: boolean;
  first_contact_at: string | null;
  overdue: boolean;
  next_date: string | null;
  rerouted_to: string | null;
  referred_again: boolean;
  seen_to: object | null;
  isCancelledByReferrer: boolean;
  isEndingToCheck: boolean;
  isServiceHidden: boolean;
};

type NextAction = {
  /** The words of a link. */
  text: string;
  /** What its address adds to that of the referral. */
  suffix: string;
  /** Since when this is to do; undefined where `moments` do not say. */
  since: Date | string | null | undefined;
};

/**
 * What the reader can do next with a referral; undefined where nothing is theirs to do. `whoseTurn` names the first thing that anybody has to
 * do. This asks the same questions in the same order, and skips what is another’s to do.
 */
export function nextAction(
  state: State,
  sides: readonly Side[],
  { questionAt, newsAt, statusAt }: Moments = {},
): NextAction | undefined {
  const { status, restricted, prompts, death_reported: death, requested_at } = state;
  if (restricted || state.erased_at) return undefined;
  if (death) return { text: 'Confirm or correct the death', suffix: '', since: death.at };
  const isReferrer = sides.includes('referrer');
  if (isReferrer && mustTelephoneFirst(state, sides))
    return { text: 'Telephone the service', suffix: '#told', since: requested_at };
  const prompt = prompts.find(({ side }) => sides.some((each) => each === side));
  if (prompt)
    return { text: promptActions[prompt.kind] ?? 'See what to do', suffix: '', since: prompt.since };
  if (state.hasQuestion) return { text: 'Answer the question', suffix: '#answer', since: questionAt };
  const isProvider = sides.includes('provider');
  if (status === 'draft') return { text: 'Finish the draft', suffix: '', since: state.created_at };
  if (status === 'requested' && isProvider)
    return { text: 'Answer the referral', suffix: '', since: requested_at };
  if (isReferrer && state.isEndingToCheck) return { text: 'Check this answer', suffix: '', since: statusAt };
  if (isReferrer && needsAnotherService(state)) {
    const suffix = state.isServiceHidden ? '' : '/reroute';
    return { text: 'Find another service', suffix, since: statusAt };
  }
  if (state.unread > 0) return { text: 'Read the message', suffix: '#messages', since: newsAt };
  if (state.newFiles > 0) return { text: 'See the new file', suffix: '#files', since: newsAt };
  if (!isProvider || !openStatuses.includes(status)) return undefined;
  if (status === 'accepted' && state.first_contact_at === null)
    return { text: 'Record the first contact', suffix: '#contacts', since: newsAt ?? statusAt };
  // From its next date on, the service is to say how it goes.
  const since = newsAt ?? (state.overdue ? state.next_date : statusAt);
  if (status === 'on-hold') return { text: 'Check the wait', suffix: '', since };
  return { text: status === 'accepted' ? 'Start the support' : 'Say how it goes', suffix: '', since };
}
