import type { Referral } from '../../referrals/index.ts';
import type { LetterFacts } from '../model/delivery.ts';
import type { PracticeLetterInput } from './letter.ts';
import type { PreparedLetter, ReportedChange } from './practice/prepare-letter.ts';
import { joinWithCommas, withoutLineBreaks, withUnbrokenNumbers } from './words.ts';

type ToAsk = { who: string; telephone: string };

/** The telephone of the service. */
export function telephoneOf(facts: PracticeLetterInput['facts']): string | undefined {
  return withoutLineBreaks(facts?.serviceTelephone);
}

/** The number of the referrer, for this referral or in their account. */
export function referrerTelephone(
  { content: { referrer } }: Referral,
  facts: PracticeLetterInput['facts'],
): string | undefined {
  return withoutLineBreaks(referrer.telephone ?? facts?.referrerTelephone);
}

/** Whom a practice rings with questions about a letter: “ring Sarrowby Choir (the service), 01632 960200; or …”. */
export function questionsTo(letter: PreparedLetter): string {
  const aboutMistake = ringAboutMistake(letter);
  if (aboutMistake !== undefined) return aboutMistake;
  const people = whomToRing(letter);
  if (people.length > 0)
    return `ring ${people.map(({ who, telephone }) => `${who}, ${telephone}`).join('; or ')}`;
  const { site } = letter;
  const { name, organisation } = letter.referral.content.referrer;
  return (
    withUnbrokenNumbers(site.operatorContact) ??
    `${joinWithCommas(name, organisation)}: no telephone number was recorded`
  );
}

/** A removal notice gives one number everywhere, the same as in its steps. Undefined for other letters. */
function ringAboutMistake(letter: PreparedLetter): string | undefined {
  const { operatorContact } = letter.site;
  return letter.isRemovalNotice && operatorContact && /\d{4}/.test(operatorContact)
    ? `ring ${withUnbrokenNumbers(operatorContact)}`
    : undefined;
}

/** “ring 01632 960200”, if there is little room. */
export function ringInShort(letter: PreparedLetter): string {
  const aboutMistake = ringAboutMistake(letter);
  if (aboutMistake !== undefined) return aboutMistake;
  const [first] = whomToRing(letter);
  if (first) return `ring ${first.telephone}`;
  return letter.site.operatorContact
    ? `ask ${withUnbrokenNumbers(letter.site.operatorContact)}`
    : `contact ${letter.referral.content.referrer.name}`;
}

/** “ring Asha Patel (who referred), 01632 960888”: the referrer knows best. If we do not know their number, somebody else. */
export function ringReferrer(letter: PreparedLetter): string {
  const telephone = referrerTelephone(letter.referral, letter.facts);
  return telephone
    ? `ring ${letter.referral.content.referrer.name} (who referred), ${telephone}`
    : ringInShort(letter);
}

/** “ring Jo Hall (the service), 01632 960200”: the person who reported the change. Undefined if no number is known. */
export function ringReporter(
  letter: PreparedLetter,
  { side, by }: Pick<ReportedChange, 'side' | 'by'>,
): string | undefined {
  const { referral, facts } = letter;
  const isOfService = side === 'provider';
  const { name } = referral.content.referrer;
  const role = isOfService ? 'the service' : (by ?? name) === name ? 'who referred' : 'for the referrer';
  const who = `${by ?? (isOfService ? referral.service.name : name)} (${role})`;
  const telephone = isOfService ? telephoneOf(facts) : referrerTelephone(referral, facts);
  return side === undefined || telephone === undefined ? undefined : `ring ${who}, ${telephone}`;
}

function whomToRing(letter: PreparedLetter): ToAsk[] {
  const { referral, facts, purpose, isRemovalNotice } = letter;
  const { content, service } = referral;
  const { name, organisation } = content.referrer;
  // A letter with a code alone must not show the service. A referral made by mistake does not concern the service any more.
  const isOfService = purpose !== 'removal' && !isRemovalNotice && !letter.isCodesOnly;
  const candidates = [
    isOfService && { who: `${service.name} (the service)`, telephone: telephoneOf(facts) },
    {
      // Other letters name the organisation at the end. A removal notice names it here.
      who: `${isRemovalNotice ? joinWithCommas(name, organisation) : name} (who referred${facts && isRemovalNotice && isReferrer(referral, facts) ? ' and asks for this' : ''})`,
      telephone: referrerTelephone(referral, facts),
    },
    isRemovalNotice &&
      facts?.by &&
      !isReferrer(referral, facts) && {
        who: `${joinWithCommas(facts.by.name, facts.by.organisation)} (who asks for this)`,
        telephone: withoutLineBreaks(facts.by.telephone),
      },
  ];
  return candidates.filter((each): each is ToAsk => Boolean(each) && (each as ToAsk).telephone !== undefined);
}

/** Whether the referrer made the change, from the same number. Then the letter names them once. */
function isReferrer(referral: Referral, facts: LetterFacts): boolean {
  const { by } = facts;
  const digits = (telephone: string | null | undefined) => telephone?.replaceAll(/\s/g, '');
  return by?.isReferrer === true && digits(by.telephone) === digits(referrerTelephone(referral, facts));
}

/** Whom the practice answers: the site’s contact, or the person who made the change. It has a telephone number if we know one. */
export function whoToTell(letter: PreparedLetter): string {
  const { referral, site, facts } = letter;
  const operatorContact = withUnbrokenNumbers(site.operatorContact);
  if (!facts?.by?.organisation) return operatorContact ?? `the people who run ${site.siteName}`;
  const whoChanged = whoMadeChange(referral, facts, facts.by);
  if (operatorContact === undefined) return whoChanged;
  return /\d{4}/.test(operatorContact) ? operatorContact : `${operatorContact}, or ${whoChanged}`;
}

/**
 * The person who made the change that the letter is about, with their telephone number or that of their side. A practice often
 * refers its own patients, so the letter says if the person is a colleague.
 */
export function whoMadeChange(
  { content: { referrer }, gp_practice }: Referral,
  facts: LetterFacts,
  { name, organisation, isReferrer, isOfReferrer, telephone, email }: NonNullable<LetterFacts['by']>,
): string {
  if (organisation !== null && !isOfReferrer)
    return joinWithCommas(name, organisation, withoutLineBreaks(telephone) ?? telephoneOf(facts));
  const isColleague =
    organisation !== null && referrer.ods_code !== null && referrer.ods_code === gp_practice?.ods_code;
  const ofReferrer = withoutLineBreaks(referrer.telephone ?? facts.referrerTelephone);
  const instead = isReferrer ? ofReferrer : ofReferrer && `or ${referrer.name}, ${ofReferrer}`;
  // If no telephone number is known, at least an email address.
  return joinWithCommas(
    isColleague ? `your colleague ${name}` : name,
    organisation,
    withoutLineBreaks(telephone) ?? (organisation === null ? undefined : (instead ?? email)),
  );
}
