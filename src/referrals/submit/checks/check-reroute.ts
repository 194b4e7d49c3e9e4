import type { Caller } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { requireKnownService } from '../../model/access/hide-sensitive-services.ts';
import { sidesOf } from '../../model/access/sides.ts';
import { mustSayWhoDecided, sharesMore, undoesOwnDecision } from '../../model/person/agreement.ts';
import { mayTellOfDanger } from '../../model/person/danger/risk.ts';
import type { Referral } from '../../model/referral.ts';
import { findReferralOrDraft } from '../../model/referrals-store.ts';
import type { NewReferral } from '../../model/schemas/new-referral.ts';
import { unsuccessfulStatuses } from '../../model/status/state-machine.ts';
import { textsAt } from '../../model/text-rules.ts';

// A referral may replace one that did not help. What protected the person in the replaced referral is kept in the new one.

/** The referral that the new one replaces, or why it cannot be replaced. `buildReferrals` has locked it, so that it is replaced only once. */
export async function findReplacedReferral(
  trx: Trx,
  caller: Caller,
  id: string | undefined,
): Promise<{ replacedReferral: Referral | undefined; errors: FieldError[] }> {
  const error = (message: string) => ({
    replacedReferral: undefined,
    errors: [{ pointer: '/reroutes', message }],
  });
  if (id === undefined) return { replacedReferral: undefined, errors: [] };
  const referral = await findReferralOrDraft(trx, id);
  if (!referral || referral.requested_at === null || !sidesOf(caller, referral).includes('referrer'))
    return error('is not a referral of your organisation');
  await requireKnownService(trx, { caller, referral });
  if (referral.erasedAt !== null) return error('was erased');
  if (referral.restrictedAt !== null) return error('is restricted');
  if (!unsuccessfulStatuses.includes(referral.status))
    return error(`is not ${unsuccessfulStatuses.join(' or ')}`);
  if (referral.rerouted_to !== null) return error('has been re-routed already');
  return { replacedReferral: referral, errors: [] };
}

/**
 * Refuses a new referral that does not say who agrees although the person may not decide alone: it would be stored as if they had agreed.
 * Refuses one in which somebody else has the practice told more than the person wanted.
 */
export function agreementErrorsOfReroute(
  { content }: Pick<Referral, 'content'>,
  { agreement, consent }: Pick<NewReferral, 'agreement' | 'consent'>,
  today: string,
): FieldError[] {
  const saidBefore = content.consent.said_by;
  const othersDecided = saidBefore !== undefined && saidBefore.basis !== 'person';
  if (!agreement) return othersDecided || mustSayWhoDecided(content, today) ? [whoAgreesIsMissing] : [];
  const undoes = sharesMore({ content }, consent) && undoesOwnDecision(content, agreement);
  return undoes ? [sharesMoreThanDecided] : [];
}

const whoAgreesIsMissing: FieldError = {
  pointer: '/agreement',
  message: 'is required, because the person may not decide alone. Ask again who agrees',
  code: 'required',
};

const sharesMoreThanDecided: FieldError = {
  pointer: '/agreement/basis',
  message:
    'must be the person’s own agreement (person, or competent_child for a child who can decide), because they decided that the practice is told less. Send it with no more shared than before, then record the change and its reason',
  code: 'undoes-own-decision',
};

/** Somebody was at risk when the first referral was made: the next service must not read that nobody asked. */
export function riskErrorsOfReroute(
  { content }: Pick<Referral, 'content'>,
  { risk }: NewReferral,
): FieldError[] {
  if (content.risk !== 'yes' || risk !== undefined) return [];
  const message =
    'is required, because somebody was at risk of serious harm when the referral before was made. Ask again';
  return [{ pointer: '/risk', message, code: 'required' }];
}

/** What was written about a referral beside what a new one takes over: messages, changes, notes of contacts, the end and names of files. */
export function notTakenOver(
  { content }: Pick<Referral, 'content'>,
  laterTexts: readonly string[],
): string[] {
  return [...notTakenOverFields.flatMap((path) => textsAt(content, path)), ...laterTexts];
}

const notTakenOverFields = ['contacts[].note', 'appointments[].place', 'gp_actions[].text'];

/**
 * A danger that was told after the first referral was made is not taken over: the words were for its service. So the referrer writes what
 * the next service must know, or that it is over, or says that somebody is at risk now.
 */
export function dangerErrorsOfReroute(
  { content }: Pick<Referral, 'content'>,
  { risk, safety_notes: note = '' }: Pick<NewReferral, 'risk' | 'safety_notes'>,
  {
    laterTexts,
    crisisPhrases,
  }: { laterTexts: readonly string[]; crisisPhrases: readonly string[] | undefined },
): FieldError[] {
  const tells = (text: string) => mayTellOfDanger(text, crisisPhrases);
  if (risk === 'yes' || !laterTexts.some(tells)) return [];
  const isNew = note.trim() !== '' && note.trim() !== (content.safety_notes ?? '').trim();
  return isNew || tells(note) ? [] : [dangerNotPassedOn];
}

const dangerNotPassedOn: FieldError = {
  pointer: '/safety_notes',
  message:
    'must say what this service has to know of the danger that was told after the referral before was made, or that it is over: messages, changes and notes are not passed on',
  code: 'told-since',
};

/**
 * Whether the copy for the practice is hidden from online access although the client did not ask for it: the copy of the replaced referral
 * was hidden, or a child agreed themselves.
 */
export function staysHiddenOnline(
  { content }: Referral,
  { do_not_show_online: choice }: NewReferral,
): boolean {
  const { agreement, consent } = content;
  const childDecided = [agreement, consent.said_by].some((each) => each?.basis === 'competent_child');
  return choice === undefined && (content.do_not_show_online === true || childDecided);
}
