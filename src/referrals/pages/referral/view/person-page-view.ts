import { readChannel } from '../../../model/after-acceptance/contacts.ts';
import { mayBeReadByHarmer } from '../../../model/person/danger/risk.ts';
import { personAnswerWords, whyNoPersonPage } from '../../../model/person-page/person-page.ts';
import { isSent } from '../../../model/referral.ts';
import type { FullReferral } from './full-referral.ts';

/** What the page of a referral shows of the person’s own page, and what its reader may do with it; undefined if they may do nothing. */
export function personPageView(full: FullReferral, { mayAct }: { mayAct: boolean }) {
  const { referral, presented, sides, isSensitive, today, crisisPhrases, laterTexts } = full;
  if (!mayAct || !isSent(referral) || referral.status === 'entered-in-error') return undefined;
  const state = 'person_page' in presented ? presented.person_page : undefined;
  const whyNot = whyNoPersonPage(referral.content, {
    isOn: full.sendsPersonPages,
    sendsTexts: full.sendsTexts,
    isSensitive,
    today,
    crisisPhrases,
  });
  const isAlive = referral.deathReportedAt === null && referral.status_reason?.code !== 'died';
  const isOpenPage = Boolean(state?.sent_at) && !state?.ended_at;
  return {
    sentAt: state?.sent_at,
    isUnsent: state?.send === true && !state.sent_at,
    openedAt: state?.opened_at,
    endedAt: state?.ended_at,
    saidToStopAt: state?.no_longer_wanted_at,
    isWishToStopOpen: full.wishToStopAt !== undefined,
    saidOfHelp: state?.got_help_at
      ? {
          words: personAnswerWords[state.got_help ? 'got-help' : 'did-not-get-help'],
          isNo: !state.got_help,
          at: state.got_help_at,
        }
      : undefined,
    hasLeaflet: isAlive,
    mayLeafletBeFound: isAlive && mayBeReadByHarmer(referral.content, laterTexts, crisisPhrases),
    canEnd: isOpenPage,
    byText: readChannel(referral.content.contact?.channel) === 'text',
    canSend: sides.includes('referrer') && isAlive && whyNot === undefined,
  };
}
