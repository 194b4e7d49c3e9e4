import type { Static } from 'typebox';
import type { Db } from '../../../platform/database/index.ts';
import { isMailAddress } from '../../../platform/mail/index.ts';
import type { Draft, Referral } from '../referral.ts';
import type { personAnswerSchema, sentPageSchema } from './person-page-schemas.ts';
import {
  lastSaid,
  listPersonAnswers,
  listPersonPages,
  type PersonPage,
  type StoredAnswer,
} from './person-pages-store.ts';

/** The pages that were sent to the person of a referral, and what they said there. */
export type PersonPageDetails = {
  pages: readonly PersonPage[];
  answers: readonly StoredAnswer[];
};

/** Only for the referrals whose referrer ticked it, which are few. */
export async function loadPersonPages(
  db: Db,
  referrals: readonly (Referral | Draft)[],
): Promise<Map<string, PersonPageDetails>> {
  const ids = referrals.filter(({ content }) => content.person_page?.send === true).map(({ id }) => id);
  const pages = await listPersonPages(db, ids);
  const answers = await listPersonAnswers(db, ids);
  return new Map(ids.map((id) => [id, { pages: pages.get(id) ?? [], answers: answers.get(id) ?? [] }]));
}

/** How the last page stands, and what the person said last. */
export function presentPersonPage(
  { content }: Pick<Referral | Draft, 'content'>,
  details: PersonPageDetails | undefined,
) {
  if (content.person_page === undefined) return {};
  const last = details?.pages.at(-1);
  const { ofHelp, toStop } = lastSaid(details?.answers ?? []);
  return {
    person_page: {
      send: content.person_page.send ?? false,
      sent_at: last?.sentAt.toISOString() ?? null,
      opened_at: last?.openedAt?.toISOString() ?? null,
      ended_at: last?.endedAt?.toISOString() ?? null,
      got_help: ofHelp ? ofHelp.answer === 'got-help' : null,
      got_help_at: ofHelp?.at.toISOString() ?? null,
      no_longer_wanted_at: toStop?.at.toISOString() ?? null,
    },
  };
}

export function presentSentPage(page: PersonPage): Static<typeof sentPageSchema> {
  const { sentAt, sentByName, address, openedAt, endedAt, endReason } = page;
  return {
    sent_at: sentAt.toISOString(),
    by: { name: sentByName },
    email: isMailAddress(address) ? address : null,
    ...(!isMailAddress(address) && { telephone: address }),
    opened_at: openedAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    end_reason: endReason,
  };
}

export function presentPersonAnswer({ at, answer }: StoredAnswer): Static<typeof personAnswerSchema> {
  return { at: at.toISOString(), answer };
}
