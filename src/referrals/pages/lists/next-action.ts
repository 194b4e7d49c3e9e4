import type { PromptKind, PromptSide } from '../../model/attention/prompts.ts';
import { mustTelephoneFirst } from '../../model/presentation/whose-turn.ts';
import { openStatuses, type ReferralStatus } from '../../model/referral.ts';
import { type Side, unsuccessfulStatuses } from '../../model/status/state-machine.ts';

/** What a prompt asks for, in two or three words. Where what to do depends on what somebody finds out, the page of the referral says it. */
const promptActions: { readonly [Kind in PromptKind]?: string } = {
  'service-moved': 'Ask who helps the person',
  'service-closed': 'Ask the service',
  'service-stopped': 'Ask the service',
  'practice-closed': 'Correct the practice',
  'draft-waiting': 'Finish the draft',
  'may-have-died': 'Find out about a death',
  'person-wants-to-stop': 'Speak with the person',
  'person-not-helped': 'Speak with the person',
  'alarming-answer': 'Read the worrying answer',
  'end-measure-due': 'Measure the end',
  'service-asks-to-ring': 'Ring the service',
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
  death_reported: object | null;
  prompts: readonly { kind: PromptKind; side: PromptSide }[];
  hasQuestion: boolean;
  unread: number;
  newFiles: number;
  isUnseenLate: boolean;
  first_contact_at: string | null;
  rerouted_to: string | null;
  referred_again: boolean;
  seen_to: object | null;
  isCancelledByReferrer: boolean;
  isEndingToCheck: boolean;
  isServiceHidden: boolean;
};

/**
 * What the reader can do next with a referral, as the words of a link and what its address adds to that of the referral. Its order is that
 * of `whoseTurn`. Undefined where nothing is the reader's to do.
 */
export function nextAction(
  state: State,
  sides: readonly Side[],
): { text: string; suffix: string } | undefined {
  const { status, restricted, prompts } = state;
  if (restricted) return undefined;
  if (state.death_reported) return { text: 'Confirm or correct the death', suffix: '' };
  const isReferrer = sides.includes('referrer');
  if (isReferrer && mustTelephoneFirst(state, sides))
    return { text: 'Telephone the service', suffix: '#told' };
  const prompt = prompts.find(({ side }) => sides.some((each) => each === side));
  if (prompt) return { text: promptActions[prompt.kind] ?? 'See what to do', suffix: '' };
  if (state.hasQuestion) return { text: 'Answer the question', suffix: '#answer' };
  const isProvider = sides.includes('provider');
  if (status === 'draft') return { text: 'Finish the draft', suffix: '' };
  if (status === 'requested' && isProvider) return { text: 'Answer the referral', suffix: '' };
  if (isReferrer && state.isEndingToCheck) return { text: 'Check this answer', suffix: '' };
  if (isReferrer && needsAnotherService(state))
    return { text: 'Find another service', suffix: state.isServiceHidden ? '' : '/reroute' };
  if (state.unread > 0) return { text: 'Read the message', suffix: '#messages' };
  if (state.newFiles > 0) return { text: 'See the new file', suffix: '#files' };
  if (!isProvider || !openStatuses.includes(status)) return undefined;
  if (status === 'on-hold') return { text: 'Check the wait', suffix: '' };
  if (status === 'accepted' && state.first_contact_at === null)
    return { text: 'Record the first contact', suffix: '#contacts' };
  return { text: status === 'accepted' ? 'Start the support' : 'Say how it goes', suffix: '' };
}

function needsAnotherService(state: State): boolean {
  const { rerouted_to, referred_again, seen_to, status_reason, isCancelledByReferrer } = state;
  const isOver =
    rerouted_to || referred_again || seen_to || isCancelledByReferrer || status_reason?.code === 'died';
  return unsuccessfulStatuses.includes(state.status) && !isOver;
}
