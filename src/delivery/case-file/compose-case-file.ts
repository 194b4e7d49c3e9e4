import { dayInWords, momentInWords } from '../../platform/html/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type ReferralView, replacedWaysIn } from '../../referrals/index.ts';
import type { Fact, Letter, Section, WrittenLetter } from '../letter/letter.ts';

type Reader = { name: string; organisation: string | null };

/**
 * The page of a referral as a document. It leaves out what only the reader’s own organisation sees, because people pass documents
 * on.
 */
export function composeCaseFile(
  { siteName, baseUrl, mode }: Pick<Settings, 'siteName' | 'baseUrl' | 'mode'>,
  view: ReferralView,
  reader: Reader,
): WrittenLetter {
  const { referral, now, name } = view;
  const letter: Letter = {
    siteName,
    test: mode === 'test' || referral.simulated,
    to: [[reader.name, reader.organisation].filter(Boolean).join(', ')],
    particulars: [
      ['Reference', referral.reference],
      ['Copy made', momentInWords(now)],
    ],
    reference: referral.reference,
    heading: name ?? referral.service?.name ?? 'Referral',
    opening: [...warningLines(view), `${view.status.text}. ${view.turn}.`],
    sections: [
      progressSection(view),
      ...(view.canRead
        ? [
            personSection(view),
            needSection(view),
            resultSection(view),
            messagesSection(view),
            filesSection(view),
            contactsSection(view),
            measuresSection(view),
          ]
        : []),
      referralSection(view),
      { heading: 'Who has been told', items: view.deliveryLines.flatMap(toldLines) },
      { heading: 'History', items: view.timeline.map(historyLine) },
    ].filter(hasContent),
  };
  return { letter, at: now.toISOString(), where: `See ${baseUrl}/referrals/${referral.id}` };
}

function hasContent({ facts = [], paragraphs = [], items = [] }: Section): boolean {
  return facts.length + paragraphs.length + items.length > 0;
}

/** What the page says first, in the same order. */
function warningLines({
  canRead,
  referral,
  sharingWithdrawn,
  safeContact,
  youngDecider,
  coded,
  worryingScores,
  risk,
  safetyNote,
  lifeChanges,
}: ReferralView): string[] {
  if (!canRead) return [];
  return [
    ...(referral.death_reported ? ['The person is said to have died.'] : []),
    ...(sharingWithdrawn ? ['Do not contact the GP practice about this person.'] : []),
    ...(safeContact.elsewhere.first
      ? [
          `Before you contact the person: ${safeContact.elsewhere.first}`,
          `This referral says: ${safeContact.text}`,
        ]
      : safeContact.text
        ? [`Before you contact the person: ${safeContact.text}`]
        : []),
    ...(safeContact.elsewhere.last ? [safeContact.elsewhere.last] : []),
    ...(youngDecider ? [youngDecider] : []),
    ...(coded.adjustments ? [`The person needs: ${coded.adjustments}`] : []),
    ...(risk.words.length > 0 ? [`Risk of serious harm: ${risk.words.join(' ')}`] : []),
    ...(safetyNote ? [`Safety note: ${safetyNote}`] : []),
    ...worryingScoreLines(worryingScores),
    ...lifeChanges.map(({ text, at }) => `Things have changed (${dayInWords(at)}): ${text}`),
  ];
}

function progressSection({ steps, due }: ReferralView): Section {
  const meaning = { done: 'Done', current: 'Now', ahead: 'Not yet', ended: 'Ended' };
  const facts = steps.map(({ text, state, at, note }): Fact => {
    const when = at === undefined ? undefined : momentInWords(at);
    return [text, [when ?? meaning[state], note].filter(Boolean).join('. ')];
  });
  return {
    heading: 'Progress',
    facts: [...facts, ...(due ? [[due.what, `due by ${dayInWords(due.date)}, ${due.left}`] as const] : [])],
  };
}

function personSection({ referral, name, age }: ReferralView): Section {
  const { patient = {} } = referral as { patient?: Record<string, unknown> };
  const { birth_date, nhs_number, address, telephone, email, carer, ...how } = patient as {
    birth_date?: string;
    nhs_number?: string;
    address?: { lines?: string[]; postcode?: string };
    telephone?: string;
    email?: string;
    carer?: { name?: string; relationship?: string; telephone?: string };
    preferred_contact?: string;
    communication_needs?: { interpreter?: string; format?: string };
  };
  const titles = { address: 'Address', telephone: 'Telephone', email: 'Email' };
  const replaced = replacedWaysIn(referral).map((way) => titles[way]);
  const born = birth_date && `${dayInWords(`${birth_date}T12:00:00Z`)}${age ? ` (${age})` : ''}`;
  return {
    heading: 'The person',
    facts: factsOf([
      ['Name', name],
      ['Date of birth', born],
      ['NHS number', nhs_number?.replace(/^(\d{3})(\d{3})/, '$1 $2 ')],
      ['Address', [...(address?.lines ?? []), address?.postcode].filter(Boolean).join(', ')],
      ['Telephone', telephone],
      ['Email', email],
      ...replaced.map((way) => [way, 'Changed by the service. Do not use an earlier one.'] as const),
      ['Other wishes about contact', how.preferred_contact],
      ['Interpreter', how.communication_needs?.interpreter],
      ['Format', how.communication_needs?.format],
      ['Carer', [carer?.name, carer?.relationship, carer?.telephone].filter(Boolean).join(', ')],
    ]),
  };
}

function needSection({ referral, coded }: ReferralView): Section {
  const { reasons, what_matters, safety_notes, support_offered } = referral as {
    reasons?: { text?: string }[];
    what_matters?: string;
    safety_notes?: string;
    support_offered?: string;
  };
  return {
    heading: 'What it is about',
    facts: factsOf([
      ...(reasons ?? []).map(({ text }) => ['Reason', text] as const),
      ['Needs', coded.needs],
      ['What matters to them', what_matters],
      ...coded.goals.map(({ text, tag }) => ['Goal', `${text} (${tag.text.toLowerCase()})`] as const),
      ['Safety', safety_notes],
      ['Support so far', support_offered],
      ['Asked for by', coded.source],
      ['How it was taken', coded.method],
      ['Episode', coded.episode],
    ]),
  };
}

function resultSection({ reason, outcome }: ReferralView): Section {
  return {
    heading: 'Reason and outcome',
    facts: factsOf([
      reason?.text ? [reason.words, reason.text] : ['Reason', reason?.words],
      [outcome?.words ?? '', outcome?.text],
      ...(outcome?.measured ?? []).map(({ text }) => ['Outcome score', text] as const),
    ]),
  };
}

function messagesSection({ messages }: ReferralView): Section {
  return {
    heading: 'Messages',
    paragraphs: messages.map(({ authorName, authorOrganisation, at, text }) => {
      const author = [authorName, authorOrganisation].filter(Boolean).join(', ');
      return `${author}, ${momentInWords(at)}:\n${text}`;
    }),
  };
}

function filesSection({ attachments }: ReferralView): Section {
  return {
    heading: 'Files',
    paragraphs: attachments.map(({ name, authorName, at, scanned, removedAt, removal, whyGone }) =>
      removedAt
        ? `${whyGone}. ${removal}. From ${authorName}, ${momentInWords(at)}; removed ${momentInWords(removedAt)}`
        : `${name}, from ${authorName}, ${momentInWords(at)}${scanned ? '' : '. Not scanned for viruses'}`,
    ),
  };
}

/** Contacts, then appointments. Both have come from the service; a cancelled appointment is said to be cancelled. */
function contactsSection({ referral, coded }: ReferralView): Section {
  const first = 'first_contact_at' in referral ? referral.first_contact_at : null;
  return {
    heading: 'Contact with the person',
    paragraphs: [
      ...(first ? [`First reached on ${momentInWords(first)}.`] : []),
      ...coded.contacts.map(
        ({ what, at, by, note }) => `${what}, ${momentInWords(at)}, ${by}${note ? `:\n${note}` : ''}`,
      ),
      ...coded.appointments.map(
        ({ what, at, by, cancelled }) =>
          `Appointment${cancelled ? ' (cancelled)' : ''}, ${momentInWords(at)}: ${what}, with ${by}`,
      ),
    ],
  };
}

function measuresSection({ coded }: ReferralView): Section {
  return {
    heading: 'Measures',
    facts: coded.measureChanges.map(({ title, words, range }) => [title, `${words} (${range})`] as const),
  };
}

function worryingScoreLines(worrying: ReferralView['worryingScores']): string[] {
  if (!worrying) return [];
  const { scores, settled } = worrying;
  return settled
    ? [
        `A worrying score (${scores}) was looked into by ${settled.by} on ${dayInWords(settled.at)}: ${settled.text ?? ''}`,
      ]
    : [
        `A score needs somebody to look into it. ${scores}. Speak with the person, in the way that is safe, by the end of the next working day.`,
      ];
}

function referralSection({ referral, canRead, agreement }: ReferralView): Section {
  const { service, gp_practice: practice } = referral;
  const referrer = 'referrer' in referral ? referral.referrer : undefined;
  return {
    heading: 'The referral',
    facts: factsOf([
      ['Service', [service?.name, service?.organization_name].filter(Boolean).join(', ')],
      ['Made on', momentInWords(referral.requested_at ?? referral.created_at)],
      [
        'Referred by',
        canRead ? [referrer?.name, referrer?.organisation].filter(Boolean).join(', ') : undefined,
      ],
      ['GP practice', practice ? `${practice.name} (${practice.ods_code})` : 'None was named'],
      ['Agreement', canRead && agreement ? agreement : undefined],
    ]),
  };
}

function toldLines({ who, earlier, ...latest }: ReferralView['deliveryLines'][number]): string[] {
  return [latest, ...earlier].map(
    ({ about, what, at }) => `${who}, ${about}: ${what}${at ? ` on ${momentInWords(at)}` : ''}`,
  );
}

function historyLine({ at, what, by, changes = [], reason, text }: ReferralView['timeline'][number]): string {
  const changed = changes.map(
    ({ label, is, was }) => `${label}: ${is}${was === undefined ? '' : ` (before: ${was})`}`,
  );
  const why = reason && [reason.words, reason.text].filter(Boolean).join(': ');
  return [`${momentInWords(at)}: ${what}${by ? `, by ${by}` : ''}`, ...changed, why, text]
    .filter(Boolean)
    .join('. ');
}

function factsOf(facts: readonly (readonly [string, string | undefined])[]): Fact[] {
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}
